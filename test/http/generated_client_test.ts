import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generateApi } from "swagger-typescript-api";
import { removeDirectory, temporaryDirectory } from "../e2e/product.ts";
import { adaptersOn, composed, memoryGround, signedUp, worldOn } from "../support/world.ts";
import { makeToken } from "./token_world.ts";

const ROOT = join(import.meta.dirname, "../..");
const CLIENT = "client.ts";
const ALICE = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";

/** What a stranger writes with the client: the marked line has to be refused by the compiler. */
const PROGRAM = `import { Api } from "./${CLIENT}";

export async function roundTrip(baseUrl: string, token: string, address: string) {
  const headers = { Authorization: \`Bearer \${token}\` };
  const { api } = new Api({ baseUrl, baseApiParams: { headers } });
  const added = await api.addAddress({ address, owner: true, language: "en", contacts: { email: [address] } });
  const { data } = await api.listAddresses({ search: address });
  const listed: string[] = data.items.map((item) => item.address);
  // @ts-expect-error: there is no such field
  data.items[0]?.adress;
  const code: string = await api.getAlert(added.data.id).then(() => "none", (failed) => failed.error.code);
  return { status: added.status, listed, total: data.total, code };
}
`;
const SETTINGS = {
  compilerOptions: {
    strict: true,
    noEmit: true,
    target: "esnext",
    module: "esnext",
    moduleResolution: "bundler",
    allowImportingTsExtensions: true,
    skipLibCheck: false,
    types: [],
    lib: ["esnext", "dom", "dom.iterable"],
  },
  files: ["program.ts"],
};

let folder: string;
beforeAll(() => {
  folder = temporaryDirectory();
});
afterAll(() => removeDirectory(folder));

type Ran = { code: number; said: string };

async function run(...command: string[]): Promise<Ran> {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const child = Bun.spawn([process.execPath, ...command], { cwd: folder, stdout: "pipe", stderr: "ignore", env });
  return { said: await new Response(child.stdout).text(), code: await child.exited };
}

type Document = { paths: Record<string, object> };

async function documentOf(world: ReturnType<typeof worldOn>): Promise<Document> {
  return (await world.app.request("/api/openapi.json")).json() as Promise<Document>;
}

type Problem = { ruleId: string; location: { pointer: string }[] };

async function problemsOf(document: object): Promise<Problem[]> {
  writeFileSync(join(folder, "openapi.json"), JSON.stringify(document));
  const redocly = join(ROOT, "node_modules/@redocly/cli/bin/cli.js");
  const { said } = await run(redocly, "lint", "openapi.json", "--format=json");
  return (JSON.parse(said) as { problems: Problem[] }).problems;
}

test("Redocly finds nothing to say about the OpenAPI document but the slashes of five paths", async () => {
  const adapters = adaptersOn(memoryGround());
  adapters.gateways.senders.webhook = {
    channel: "webhook",
    send: async () => ({ kind: "delivered" }),
  };
  const world = composed(adapters);
  const problems = await problemsOf(await documentOf(world));
  const slashes = problems.filter(({ ruleId }) => ruleId === "no-path-trailing-slash");
  expect(problems.filter((problem) => !slashes.includes(problem))).toEqual([]);
  expect(slashes).toHaveLength(5);
});

test("Redocly finds a parameter without a place", async () => {
  const document = await documentOf(worldOn(memoryGround()));
  document.paths["/api/broken"] = { get: { parameters: [{ name: "x" }], responses: {} } };
  expect((await problemsOf(document)).map(({ ruleId }) => ruleId)).toContain("struct");
});

test("a client generated from the OpenAPI document compiles, and adds and lists addresses", async () => {
  const world = worldOn(memoryGround());
  const call = await signedUp(world, ALICE);
  await call("POST", "/api/confirm-password", { password: PASSWORD });
  const { token } = await makeToken(call);
  const spec = (await documentOf(world)) as never;
  await generateApi({ spec, output: folder, fileName: CLIENT, silent: true });
  const client = join(folder, CLIENT);
  // The generator excludes its own file from the compiler's checks.
  writeFileSync(client, readFileSync(client, "utf8").replace("// @ts-nocheck\n", ""));
  writeFileSync(join(folder, "program.ts"), PROGRAM);
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(SETTINGS));
  expect(await run(join(ROOT, "node_modules/.bin/tsc"), "-p", ".")).toEqual({ code: 0, said: "" });

  const server = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: (request) => world.app.fetch(request) });
  const { roundTrip } = await import(join(folder, "program.ts"));
  const answer = await roundTrip(server.url.origin, token, ALICE);
  await server.stop(true);
  expect(answer).toEqual({ status: 201, listed: [ALICE], total: 1, code: "NOT_FOUND" });
}, 60_000);
