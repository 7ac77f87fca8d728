import type * as v from "valibot";
import { inputsOf, textsOf } from "../support/input_schemas.ts";
import { memoryGround, signedUp, worldOn } from "../support/world.ts";
import { round, tell } from "./figures.ts";

/** In bytes; four times as much may take four times as long, plus half as much again for measurement errors. */
const SIZES = [15_000, 60_000] as const;
const BOUND = 6;
const ROUNDS = 15;
/** Below this nobody notices, and a figure measures the clock rather than the route. */
const FLOOR_MS = 2;

const marks = (bytes: number) => `a${"\u0315\u0300\u05ae\u0300".repeat(bytes / 8)}`;

/** A body whose text at this path has that length. */
function bodyWith(path: string, text: string): unknown {
  const steps = path.split(".").slice(1);
  return steps.reduceRight<unknown>((inner, step) => (step === "[]" ? [inner] : { [step]: inner }), text);
}

/** Whether a route takes linear time, for the worst text in each of its fields. */
export async function routeGrowth(): Promise<void> {
  const world = worldOn(memoryGround());
  const call = await signedUp(world, "bench@example.com");
  const places = inputsOf(world.app).flatMap(({ route, schema }) =>
    textsOf(schema as v.GenericSchema).leaves.map(({ path }) => ({ route, path })),
  );
  async function timeOf(route: string, path: string, bytes: number): Promise<number> {
    const [method = "", pattern = ""] = route.split(" ");
    const address = pattern.replaceAll(/:\w+/g, crypto.randomUUID());
    const text = marks(bytes);
    const send = /POST|PUT/.test(method)
      ? () => call(method, address, bodyWith(path, text))
      : () => call(method, `${address}?${new URLSearchParams({ [path.split(".").at(-1) ?? ""]: text })}`);
    const times: number[] = [];
    for (let turn = 0; turn < ROUNDS; turn += 1) {
      const start = performance.now();
      await (await send()).arrayBuffer();
      times.push(performance.now() - start);
    }
    // The fastest run, as other load on the machine only adds time.
    return Math.min(...times);
  }
  const measured: { place: string; small: number; large: number; growth: number }[] = [];
  for (const { route, path } of places) {
    if (route.includes("/api/logout")) continue;
    const [small, large] = [await timeOf(route, path, SIZES[0]), await timeOf(route, path, SIZES[1])];
    measured.push({ place: `${route} ${path}`, small, large, growth: large / Math.max(FLOOR_MS, small) });
  }
  const worst = measured.toSorted((one, other) => other.growth - one.growth)[0];
  const slowest = measured.toSorted((one, other) => other.large - one.large)[0];
  tell({
    line: "route-growth",
    places: measured.length,
    bytes: [...SIZES],
    worst: worst?.place,
    slowest: slowest?.place,
    slowest_ms: round(slowest?.large ?? 0),
    figure: round(worst?.growth ?? 0),
    bound: BOUND,
    pass: measured.length > 50 && (worst?.growth ?? 0) <= BOUND,
  });
}
