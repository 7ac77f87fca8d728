import { beforeAll, describe, expect, test } from "bun:test";
import { accepted } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { aTicketInput } from "../tickets/support_world.ts";

const ADMIN = "admin@example.com";
const MANY = 60;
/** The longest page. */
const PAGE = 50;
/** Lists whose length depends on the installation, not on stored data. */
const OF_THE_INSTALLATION = /^(overview\.\w+|mails\.mails)$/;

const world = (() => {
  const ground = memoryGround();
  return { ground, ...worldOn(ground) };
})();
let admin: Awaited<ReturnType<typeof signedUp>>;
let adminId: string;
let reference: string;

async function told(method: string, path: string, body?: object): Promise<unknown> {
  const answer = await admin(method, path, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`);
  return JSON.parse(text);
}

async function fill(): Promise<void> {
  const { ground, identity, notifications } = world;
  const numbers = [...Array(MANY).keys()];
  const person = { firstName: "Alice", lastName: "Meyer", password: "Tranquil-Harbour-42", language: "en" } as const;
  for (const number of numbers) {
    accepted(
      await identity.register({ ...person, email: `p${number}@example.net` } as never, { ip: `192.0.2.${number}` }),
    );
    await told("POST", `/api/staff/accounts/${adminId}/view`, {});
    const contact = { channel: "email", value: `c${number}@example.org`, language: "en", everywhere: false };
    await told("POST", "/api/contacts", contact);
    const title = { title: { en: `Slow ${number}` }, text: { en: "We are looking into it." }, parts: ["website"] };
    const times = { startsAt: ground.clock.now().toISOString(), endsAt: null };
    await told("POST", "/api/staff/incidents", { kind: "incident", state: "investigating", ...title, ...times });
    if (number % 10 === 0) ground.clock.pass(HOUR + 1);
    const ticket = (await told("POST", "/api/support/tickets", aTicketInput())) as { reference: string };
    reference = ticket.reference;
  }
  await settle(world);
  ground.sender.answer(...numbers.map(() => ({ kind: "dead", cause: "message", reason: "554 no" }) as const));
  for (const number of numbers)
    await notifications.onMailRequested({
      ...{
        type: "mail.requested",
        to: `d${number}@example.org`,
        accountId: adminId,
        language: "en",
        template: "password_changed",
      },
      params: { changedAt: ground.clock.now().toISOString() },
    });
  await settle(world);
}

beforeAll(async () => {
  admin = await signedUp(world, ADMIN);
  adminId = accepted(await world.identity.accountNamed(ADMIN)).accountId;
  accepted(await world.identity.setStaff(adminId, { staff: true }));
  await settle(world);
  await fill();
}, 60_000);

/** The length of each list in a response. */
function lengthsIn(value: unknown, at: string): [path: string, length: number][] {
  if (Array.isArray(value)) return [[at, value.length], ...value.flatMap((one) => lengthsIn(one, `${at}[]`))];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => lengthsIn(part, `${at}.${name}`));
}

describe("Staff lists", () => {
  test("are paginated on every route, however much is stored", async () => {
    const reads = world.app.routes.filter(({ method, path }) => method === "GET" && path.startsWith("/api/staff/"));
    const paths = new Set(reads.map(({ path }) => path).filter((path) => !path.includes(":kind")));
    const lengths = new Map<string, number>();
    const note = (name: string, answer: unknown) => {
      for (const [path, length] of lengthsIn(answer, name)) lengths.set(path, Math.max(length, lengths.get(path) ?? 0));
    };
    for (const path of paths) {
      const query = path.endsWith("/mails") ? "?language=en" : "";
      note(path.split("/")[3] ?? "", await told("GET", path.replace(":reference", reference) + query));
    }
    const account = await told("POST", `/api/staff/accounts/${adminId}/view`, {});
    note("account", account);
    const long = [...lengths].filter(([path, length]) => length > PAGE && !OF_THE_INSTALLATION.test(path));
    expect(long).toEqual([]);
    const full = ["accounts.accounts", "acts.acts", "dead-letters.items", "incidents.items"];
    expect(full.map((path) => [path, lengths.get(path)])).toEqual(full.map((path) => [path, PAGE]));
    expect(["tickets.items", "account.contacts"].map((path) => lengths.get(path))).toEqual([25, 25]);
    expect(account).toMatchObject({ contactCount: MANY });
  });
});
