import { beforeEach, describe, expect, test } from "bun:test";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import { DAY } from "../support/clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { makeToken, program } from "./token_world.ts";

const ALICE = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";
type Call = Awaited<ReturnType<typeof signedUp>>;

let ground: Ground;
let world: ReturnType<typeof worldOn>;
let alice: Call;

beforeEach(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  alice = await signedUp(world, ALICE);
  await alice("POST", "/api/confirm-password", { password: PASSWORD });
});

const accountOf = (email: string) =>
  ground.transactionOf((tables) => tables<{ id: string; email: string }>("identity.users"))(
    async (users) => users.find((user) => user.email === email)?.id ?? "",
  );

async function told(answer: Response) {
  return { status: answer.status, ...((await answer.json()) as { code?: string; fields?: object }) };
}

describe("The end of a token", () => {
  test("takes effect with the next request of every process", async () => {
    const other = composed(adaptersOn(ground));
    const { token, id } = await makeToken(alice);
    const here = program(world, token);
    const there = program(other, token);
    expect([(await here("GET", "/api/alerts")).status, (await there("GET", "/api/alerts")).status]).toEqual([200, 200]);
    // While it is used everywhere.
    const racing = Promise.all(Array.from({ length: 10 }, (_, i) => (i % 2 ? here : there)("GET", "/api/alerts")));
    expect((await alice("DELETE", `/api/tokens/${id}`)).status).toBe(200);
    expect((await racing).filter(({ status }) => status !== 200 && status !== 401)).toEqual([]);
    expect([(await here("GET", "/api/alerts")).status, (await there("GET", "/api/alerts")).status]).toEqual([401, 401]);
    expect(await told(await alice("DELETE", `/api/tokens/${id}`))).toMatchObject({ status: 404 });
  });

  test("cannot be caused by another account", async () => {
    const { token, id } = await makeToken(alice);
    const bob = await signedUp(world, "bob@example.net");
    expect((await bob("DELETE", `/api/tokens/${id}`)).status).toBe(404);
    expect(await (await bob("POST", "/api/tokens/revoke-all", {})).json()).toEqual({ revoked: 0 });
    expect((await program(world, token)("GET", "/api/alerts")).status).toBe(200);
  });

  test("comes with its expiry, with a lock of the account, and with its deletion", async () => {
    const short = program(world, (await makeToken(alice, API_SCOPES, 30)).token);
    const long = program(world, (await makeToken(alice, API_SCOPES, null)).token);
    ground.clock.pass(30 * DAY);
    expect([(await short("GET", "/api/alerts")).status, (await long("GET", "/api/alerts")).status]).toEqual([401, 200]);
    const id = await accountOf(ALICE);
    const lock = (at: Date | undefined) =>
      adaptersOn(ground).transactions.identity(({ users }) => users.setLocked(id, at));
    await lock(ground.clock.now());
    expect((await long("GET", "/api/alerts")).status).toBe(401);
    await lock(undefined);
    expect((await long("GET", "/api/alerts")).status).toBe(200);
    await adaptersOn(ground).transactions.identity(({ users }) => users.remove(id));
    expect((await long("GET", "/api/alerts")).status).toBe(401);
  });

  test("is not caused by a new password: its mail names the tokens that still work", async () => {
    const { token } = await makeToken(alice);
    const next = "Another-Harbour-43";
    const changed = await alice("PUT", "/api/profile/password", { password: next, confirmPassword: next });
    expect(changed.status).toBe(200);
    await settle(world);
    const mail = JSON.stringify(ground.sender.sent.at(-1)?.content);
    expect(mail).toContain("These personal tokens still work: Home server.");
    expect((await program(world, token)("GET", "/api/alerts")).status).toBe(200);
  });
});

describe("What is kept of a token", () => {
  test("includes its last use, at most once a minute, and the network", async () => {
    const { token } = await makeToken(alice);
    const ask = program(world, token);
    const last = async () => {
      const { items } = (await (await alice("GET", "/api/tokens")).json()) as { items: Record<string, unknown>[] };
      return [items[0]?.lastUsedAt, items[0]?.lastIpPrefix];
    };
    await ask("GET", "/api/alerts");
    expect(await last()).toEqual(["2026-11-20T12:00:00.000Z", "127.0.0.0/24"]);
    ground.clock.pass(59_000);
    await ask("GET", "/api/alerts");
    expect(await last()).toEqual(["2026-11-20T12:00:00.000Z", "127.0.0.0/24"]);
    ground.clock.pass(1000);
    await ask("GET", "/api/alerts");
    expect(await last()).toEqual(["2026-11-20T12:01:00.000Z", "127.0.0.0/24"]);
  });
});

describe("The rate limit", () => {
  test("is returned with every response, and with a wait when it is reached", async () => {
    const ask = program(world, (await makeToken(alice)).token);
    const seen: string[] = [];
    for (let count = 0; count < 30; count++) {
      const answer = await ask("GET", "/api/alerts");
      expect(answer.status).toBe(200);
      expect(answer.headers.get("RateLimit-Policy")).toBe('"token";q=30;w=30');
      seen.push(answer.headers.get("RateLimit") ?? "");
    }
    const left = seen.map((text) => Number(/r=(\d+)/.exec(text)?.[1]));
    expect(left).toEqual(Array.from({ length: 30 }, (_, index) => 29 - index));
    const refused = await ask("GET", "/api/alerts");
    expect(await told(refused)).toMatchObject({ status: 429, code: "RATE_LIMITED", retryAfter: 1 } as object);
    expect(refused.headers.get("Retry-After")).toBe("1");
    expect(refused.headers.get("RateLimit")).toBe('"token";r=0;t=30');
    ground.clock.pass(1000);
    expect((await ask("GET", "/api/alerts")).status).toBe(200);
    expect((await ask("GET", "/api/alerts")).status).toBe(429);
  });

  test("is shared by all processes", async () => {
    const { token } = await makeToken(alice);
    const processes = [world, composed(adaptersOn(ground)), composed(adaptersOn(ground))];
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, index) => program(processes[index % 3] ?? world, token)("GET", "/api/alerts")),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
  });

  test("is separate for each token", async () => {
    const [one, other] = [await makeToken(alice), await makeToken(alice)];
    for (let count = 0; count < 31; count++) await program(world, one.token)("GET", "/api/alerts");
    expect((await program(world, one.token)("GET", "/api/alerts")).status).toBe(429);
    expect((await program(world, other.token)("GET", "/api/alerts")).status).toBe(200);
  });
});
