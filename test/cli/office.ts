import type { Answer, Progress } from "../../src/cli/answer.ts";
import type { AppContext } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { perform } from "../../src/cli/execute.ts";
import { parse } from "../../src/cli/parse.ts";
import { auditorOf } from "../../src/cli/rooms.ts";
import { loadConfig } from "../../src/config/config.ts";
import { adaptersOn, composed, memoryGround } from "../support/world.ts";

export function configOf(environment: Record<string, string> = {}) {
  const loaded = loadConfig(environment, () => "");
  if (!loaded.ok) throw new Error(loaded.problems.join("; "));
  return loaded.config;
}

const unused = () => Promise.reject(new Error("There is no such database in memory"));

/** The product in memory, with commands run against it. */
export function openedOffice(environment: Record<string, string> = {}) {
  const ground = memoryGround();
  const adapters = adaptersOn(ground);
  const product = composed(adapters);
  const cancel = new AbortController();
  const [told, progress]: [string[], Progress[]] = [[], []];
  const office: AppContext = {
    product,
    now: ground.clock.now,
    directory: "/",
    signal: cancel.signal,
    config: configOf(environment),
    database: unused,
    letGo: async () => {},
    mac: adapters.system.mac,
    isServer: false,
    backups: {} as AppContext["backups"],
    audit: auditorOf(product, adapters.system),
    tell: (line) => void told.push(line),
    progress: (state) => void progress.push(state),
  };
  return {
    ground,
    product,
    office,
    told,
    progress,
    cancel,
    /** The audit log, newest first. */
    async acts() {
      const filter = { actorId: undefined, act: undefined, objectId: undefined, from: undefined, until: undefined };
      await product.dispatcher.drain();
      const found = await product.identity.staffActs(filter);
      return found.ok ? found.value.acts.map(({ by, act }) => `${by}: ${act}`) : [];
    },
    type: (...words: string[]) => typed(words, office),
  };
}

/** The result of a valid command line. */
export async function typed(words: string[], room: { signal: AbortSignal }): Promise<Answer> {
  const parsed = parse(COMMANDS, words);
  if (parsed.kind !== "run") throw new Error(`Wrongly typed: ${JSON.stringify(parsed)}`);
  return perform(parsed.command, parsed.given, room);
}
