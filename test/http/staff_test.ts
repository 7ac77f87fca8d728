import { describe, expect, test } from "bun:test";
import { accepted } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { makeToken, program } from "./token_world.ts";

const ADMIN = "admin@example.com";
const ALICE = "alice@example.com";
const PASSWORD = "Tranquil-Harbour-42";
const ID = "00000000-0000-4000-8000-000000000000";
const REASON = { reason: "Sends spam" };
const GRANT = { plan: "professional", quantity: 1, days: 30, ...REASON };

const ROUTES: [method: string, path: string, body?: object][] = [
  ["GET", "/api/staff/overview"],
  ["GET", "/api/staff/accounts"],
  ["GET", "/api/staff/accounts?state=nonsense"],
  ["POST", `/api/staff/accounts/${ID}/view`, {}],
  ["POST", "/api/staff/accounts/no-id/view", {}],
  ["GET", "/api/staff/acts"],
  ["GET", "/api/staff/dead-letters"],
  ["GET", "/api/staff/mails?language=en"],
  ["GET", "/api/staff/mails/alert/en"],
  ["GET", "/api/staff/mails/alert/en/html"],
  ["GET", "/api/staff/settings"],
  ["POST", "/api/staff/tests/email", {}],
  ["POST", "/api/staff/tests/nonsense", {}],
  ["POST", `/api/staff/accounts/${ID}/lock`, REASON],
  ["POST", `/api/staff/accounts/${ID}/unlock`, REASON],
  ["POST", `/api/staff/accounts/${ID}/delete`, REASON],
  ["POST", `/api/staff/accounts/${ID}/grant`, GRANT],
  ["POST", `/api/staff/accounts/${ID}/grant`, {}],
  ["POST", `/api/staff/accounts/${ID}/end-grant`, REASON],
  ["POST", `/api/staff/dead-letters/${ID}/resend`, {}],
];

async function office() {
  const ground = memoryGround();
  const world = worldOn(ground);
  const admin = await signedUp(world, ADMIN);
  const alice = await signedUp(world, ALICE);
  const idOf = async (email: string) => accepted(await world.identity.accountNamed(email)).accountId;
  const [adminId, aliceId] = [await idOf(ADMIN), await idOf(ALICE)];
  const makeStaff = (staff = true) => world.identity.setStaff(adminId, { staff, evenLast: true });
  accepted(await makeStaff());
  await settle(world);
  const acts = async () => {
    await settle(world);
    return ((await (await admin("GET", "/api/staff/acts")).json()) as { acts: { act: string; reason: string }[] }).acts;
  };
  const mailsTo = (email: string) =>
    ground.sender.sent.filter(({ to }) => to.value === email).map(({ kind }) => String(kind));
  return { ground, world, admin, alice, adminId, aliceId, makeStaff, acts, mailsTo };
}

describe("The staff's routes", () => {
  test.each(ROUTES)(
    "%s %s does not exist for anybody else, and requires the password for changes",
    async (...route) => {
      const [method, path, body] = route;
      const { world, admin, alice, ground } = await office();
      const nobody = (of: string) =>
        world.app.request(of, {
          method,
          headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
          ...(body && { body: JSON.stringify(body) }),
        });
      const seen = async (answer: Response) => {
        const headers = [...answer.headers].filter(([name]) => !["x-request-id", "ratelimit"].includes(name)).sort();
        return { status: answer.status, text: await answer.text(), headers };
      };
      const unknown = path.replace("/api/staff/", "/api/nothing/");
      expect(await seen(await nobody(path))).toEqual(await seen(await nobody(unknown)));
      expect(await seen(await alice(method, path, body))).toEqual(await seen(await alice(method, unknown, body)));
      const asProgram = program(world, (await makeToken(alice)).token);
      expect(await seen(await asProgram(method, path, body))).toEqual(
        await seen(await asProgram(method, unknown, body)),
      );
      await alice("POST", "/api/logout", {});
      await alice("POST", "/api/login", { email: ALICE, password: PASSWORD });
      const partial = await seen(await alice(method, path, body));
      expect(partial).toEqual(await seen(await alice(method, unknown, body)));
      expect(partial.text).toBe('{"code":"NOT_FOUND"}');
      if (method === "GET" || path.endsWith("/view")) return;
      ground.clock.pass(16 * 60_000);
      const late = await admin(method, path, body);
      expect([late.status, await late.json()]).toEqual([403, { code: "REAUTHENTICATION_REQUIRED" }]);
    },
  );

  test("are not in the public OpenAPI document", async () => {
    const { world } = await office();
    const { paths } = (await (await world.app.request("/api/openapi.json")).json()) as { paths: object };
    const parts = ["overview", "accounts", "acts", "dead-letters", "mails", "settings", "tests"].map(
      (part) => `/api/staff/${part}`,
    );
    expect(Object.keys(paths).filter((path) => parts.some((part) => path.startsWith(part)))).toEqual([]);
  });

  test("are open from the next request after the mark was set, and closed from the next after it was removed", async () => {
    const { admin, makeStaff } = await office();
    expect((await admin("GET", "/api/staff/overview")).status).toBe(200);
    expect(await (await admin("GET", "/api/me")).json()).toMatchObject({ staff: true });
    accepted(await makeStaff(false));
    expect((await admin("GET", "/api/staff/overview")).status).toBe(404);
  });
});

describe("The overview", () => {
  test("shows the use of the sources' and channels' limits", async () => {
    const ground = memoryGround();
    const adapters = adaptersOn(ground);
    const next = new Date(ground.clock.now().getTime() + 60_000);
    const resetsAt = new Date(ground.clock.now().getTime() + DAY);
    const limit = { current: () => ({ per: "month" as const, most: 10_000, left: 9400, resetsAt }) };
    const { email = ground.sender } = adapters.gateways.senders;
    const world = composed({
      ...adapters,
      gateways: { ...adapters.gateways, senders: { email: { ...email, limit } } },
      system: {
        ...adapters.system,
        budgets: async () => [{ source: "xposedornot", everyMs: 900_000, taken: 34, nextSlotAt: next }],
      },
    });
    const admin = await signedUp(world, ADMIN);
    accepted(
      await world.identity.setStaff(accepted(await world.identity.accountNamed(ADMIN)).accountId, { staff: true }),
    );
    await settle(world);
    const facts = { name: "Pro 1", until: "2030-01-01T00:00:00Z", perMinute: 500, kAnonymity: true, stealerLogs: true };
    expect(await (await admin("GET", "/api/staff/overview")).json()).toMatchObject({
      sources: [{ source: "memory", subscription: facts }],
      budgets: [{ source: "xposedornot", everyMs: 900_000, taken: 34, room: 96, nextSlotAt: next.toISOString() }],
      limits: [
        {
          // The log-in code, and other mails.
          channel: "email",
          acceptedToday: ground.sender.sent.length,
          limit: { per: "month", most: 10_000, used: 600, resetsAt: resetsAt.toISOString() },
        },
      ],
    });
    expect(ground.sender.sent.length).toBeGreaterThan(0);
  });
});

describe("Accounts managed by the staff", () => {
  test("a locked user is logged out, notified and refused, still monitored, and can log in again once unlocked", async () => {
    const { admin, alice, aliceId, acts, mailsTo } = await office();
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/lock`, {})).status).toBe(422);
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/lock`, REASON)).status).toBe(200);
    expect((await alice("GET", "/api/me")).status).toBe(401);
    const refused = await alice("POST", "/api/login", { email: ALICE, password: PASSWORD });
    expect([refused.status, await refused.json()]).toEqual([403, { code: "ACCOUNT_LOCKED" }]);
    const wrong = await alice("POST", "/api/login", { email: ALICE, password: "Wrong-Harbour-42" });
    expect(await wrong.json()).toEqual({ code: "CREDENTIALS_INVALID" });
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/unlock`, REASON)).status).toBe(200);
    expect((await alice("POST", "/api/login", { email: ALICE, password: PASSWORD })).status).toBe(200);
    expect((await acts()).map(({ act, reason }) => [act, reason])).toEqual([
      ["account_unlocked", REASON.reason],
      ["account_locked", REASON.reason],
      ["staff_granted", null as unknown as string],
    ]);
    expect(mailsTo(ALICE)).toEqual(expect.arrayContaining(["account_locked", "account_unlocked"]));
  });

  test("unlocking ends a lock caused by too many wrong passwords", async () => {
    const { admin, alice, aliceId, world } = await office();
    const wrong = { email: ALICE, password: "Wrong-Harbour-42" };
    const tries = Array.from({ length: 10 }, (_, index) =>
      world.identity.login(wrong, { ip: `192.0.2.${index + 1}`, token: undefined }),
    );
    await Promise.all(tries);
    const elsewhere = () =>
      world.identity.login({ ...wrong, password: PASSWORD }, { ip: "198.51.100.7", token: undefined });
    expect(await elsewhere()).toMatchObject({ code: "LOCKED" });
    await admin("POST", `/api/staff/accounts/${aliceId}/unlock`, REASON);
    expect(await elsewhere()).toMatchObject({ ok: true });
    expect((await alice("GET", "/api/me")).status).toBe(200);
  });

  test("deletion works like the owner's, and the log keeps the action without the person", async () => {
    const { admin, aliceId, acts, world, mailsTo } = await office();
    await admin("POST", `/api/staff/accounts/${aliceId}/view`, {});
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/delete`, REASON)).status).toBe(200);
    const [deleted, viewed] = await acts();
    expect(deleted).toMatchObject({ act: "account_deleted", reason: REASON.reason, object: { id: null, name: null } });
    expect(viewed).toMatchObject({ act: "account_viewed", object: { id: null } });
    expect(await world.identity.accountNamed(ALICE)).toMatchObject({ code: "NOT_FOUND" });
    expect(mailsTo(ALICE)).toContain("account_removed");
  });

  test("nobody can lock or delete their own account, and the last staff member remains one", async () => {
    const { admin, adminId, aliceId, world } = await office();
    for (const act of ["lock", "delete"])
      expect(await (await admin("POST", `/api/staff/accounts/${adminId}/${act}`, REASON)).json()).toEqual({
        code: "STAFF_OWN_ACCOUNT",
      });
    const by = { by: "command_line" } as const;
    expect(await world.identity.setStaff(adminId, { staff: false })).toMatchObject({ code: "STAFF_LAST" });
    expect(await world.identity.lockAccount(adminId, REASON, by)).toMatchObject({ code: "STAFF_LAST" });
    expect(await world.identity.removeAccount(adminId, REASON, by)).toMatchObject({ code: "STAFF_LAST" });
    accepted(await world.identity.setStaff(aliceId, { staff: true }));
    // Two staff members act on each other: one of them remains.
    const each = await Promise.all([
      world.identity.lockAccount(aliceId, REASON, { by: "staff", accountId: adminId }),
      world.identity.lockAccount(adminId, REASON, { by: "staff", accountId: aliceId }),
    ]);
    expect(each.filter(({ ok }) => ok)).toHaveLength(1);
  });

  test("a plan that was granted takes effect, and its account page shows everything except secrets and alerts", async () => {
    const { admin, aliceId, alice } = await office();
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/grant`, GRANT)).status).toBe(200);
    expect(await (await alice("GET", "/api/subscription")).json()).toMatchObject({ plan: "professional", cap: 10 });
    const shown = await admin("POST", `/api/staff/accounts/${aliceId}/view`, {});
    const text = await shown.text();
    expect(JSON.parse(text)).toMatchObject({
      email: ALICE,
      staff: false,
      lockedAt: null,
      methods: ["email"],
      counts: { addresses: 0 },
      plan: { name: "professional", granted: { plan: "professional", quantity: 1 } },
      sessions: [{}],
    });
    expect(text).not.toMatch(/hash|token|secret|password/i);
    expect((await admin("POST", `/api/staff/accounts/${aliceId}/end-grant`, REASON)).status).toBe(200);
    expect(await (await alice("GET", "/api/subscription")).json()).toMatchObject({ plan: "trial", cap: 3 });
  });

  test("a page of accounts, and mails in every language in frames without scripts", async () => {
    const { admin } = await office();
    expect(await (await admin("GET", "/api/staff/accounts?search=ALICE@")).json()).toMatchObject({
      accounts: [{ email: ALICE }],
      next: null,
    });
    for (const language of ["en", "fr", "de", "it", "es", "pt"]) {
      const { mails } = (await (await admin("GET", `/api/staff/mails?language=${language}`)).json()) as {
        mails: { kind: string; subject: string }[];
      };
      expect(mails.length).toBeGreaterThan(30);
      for (const { kind, subject } of mails) {
        const path = `/api/staff/mails/${kind}/${language}`;
        expect(await (await admin("GET", path)).json()).toMatchObject({
          subject,
          text: expect.stringMatching(/\w{3}/),
        });
        const frame = await admin("GET", `${path}/html`);
        expect(frame.headers.get("Content-Security-Policy")).toMatch(/frame-ancestors 'self'; .*; sandbox$/);
        const page = await frame.text();
        expect(page).not.toMatch(/ style="|<script/);
        for (const rule of ["prefers-color-scheme: dark", "max-width: 520px"]) expect(page).toContain(rule);
      }
    }
    expect((await admin("GET", "/api/staff/mails/constructor/en")).status).toBe(404);
  });
});
