import { describe, expect, test } from "bun:test";
import { COMMANDS } from "../../src/cli/commands.ts";
import { adobe, canva } from "../support/breaches.ts";
import { settle, signedUp } from "../support/world.ts";
import { openedOffice } from "./office.ts";

const ADA = "ada@breachbell.example";

/** Ada has an account and tracks her address, which is in one breach. */
async function withAda(environment: Record<string, string> = {}) {
  const opened = openedOffice(environment);
  opened.ground.feed.publish(adobe);
  opened.ground.feed.expose(ADA, "Adobe");
  await opened.product.breaches.syncCatalogue();
  const call = await signedUp(opened.product, ADA);
  const tracked = await call("POST", "/api/associations", {
    address: ADA,
    owner: true,
    language: "en",
    contacts: { email: [ADA] },
  });
  if (!tracked.ok) throw new Error(await tracked.text());
  await settle(opened.product);
  return { ...opened, call };
}

describe("users", () => {
  test("are listed, found and shown, and every view is logged", async () => {
    const { type, acts } = await withAda();
    expect((await type("users", "--search", "ada")).data).toMatchObject({
      accounts: [{ email: ADA, verified: true }],
      isCut: false,
    });
    expect((await type("users", "--state", "locked")).data).toMatchObject({ accounts: [] });
    expect((await type("users", "show", ADA)).data).toMatchObject({
      email: ADA,
      watched: 1,
      staff: false,
      lockedAt: null,
    });
    expect(await acts()).toEqual(["command_line: account_viewed"]);
    expect(await type("users", "show", "nobody@breachbell.example")).toMatchObject({
      code: 1,
      error: { code: "NOT_FOUND" },
    });
  });

  test("lock ends the session and prevents log-ins, unlock allows them", async () => {
    const { type, call, acts } = await withAda();
    expect(await type("users", "lock", ADA)).toMatchObject({ code: 0, data: { locked: true } });
    expect((await call("GET", "/api/associations")).status).toBe(401);
    expect((await type("users", "show", ADA)).data).toMatchObject({ lockedAt: expect.any(String), sessions: [] });
    expect((await type("users", "unlock", ADA)).code).toBe(0);
    expect((await type("users", "show", ADA)).data).toMatchObject({ lockedAt: null });
    expect(await acts()).toContain("command_line: account_locked");
  });

  test("invite prints a link that works for this address alone", async () => {
    const { type, product, acts } = await withAda();
    const answer = await type("users", "invite", " Grace@Example.com", "--language", "de", "--days", "2");
    const { link } = answer.data as { link: string };
    expect(answer).toMatchObject({ code: 0, data: { email: "grace@example.com", days: 2 } });
    expect(link).toMatch(/^http:\/\/localhost:\d+\/de\/register#t=[\w.-]+$/);
    expect(await product.identity.inspectInvitation(link.split("#t=")[1] ?? "")).toMatchObject({
      value: { email: "grace@example.com" },
    });
    expect(await type("users", "invite", "grace")).toMatchObject({ code: 1, error: { code: "EMAIL_INVALID" } });
    expect(await type("users", "invite", ADA)).toMatchObject({ code: 1, error: { code: "EMAIL_TAKEN" } });
    expect(await acts()).toEqual(["command_line: account_invited"]);
  });

  test("reset-password prints a link that works, and reset-factors says what the second step is now", async () => {
    const { type, product, acts } = await withAda();
    const answer = await type("users", "reset-password", ADA);
    const { link } = answer.data as { link: string };
    expect(link).toMatch(/^http:\/\/localhost:\d+\/en\/reset-password#t=[\w-]+$/);
    expect(await product.identity.checkResetLink(link.split("#t=")[1] ?? "")).toMatchObject({ ok: true });
    expect(await type("users", "reset-password", "nobody@breachbell.example")).toMatchObject({
      code: 1,
      error: { code: "NOT_FOUND" },
    });
    expect(await type("users", "reset-factors", ADA)).toMatchObject({ code: 0, data: { secondStep: "email" } });
    expect(
      COMMANDS.find(({ name }) => name === "users reset-factors")?.asks?.({ arguments: [ADA], options: {} }),
    ).toContain(ADA);
    expect(await acts()).toEqual(["command_line: reset_link_made"]);
  });

  test("unlink removes the links to providers, also where there are none", async () => {
    const { type, acts } = await withAda();
    expect(await type("users", "unlink", ADA)).toMatchObject({ code: 0, data: { providers: [] } });
    expect(COMMANDS.find(({ name }) => name === "users unlink")?.asks?.({ arguments: [ADA], options: {} })).toContain(
      ADA,
    );
    expect(await acts()).toEqual([]);
  });

  test("grant, revoke-grant and staff on and off take effect, once", async () => {
    const { type, product, acts } = await withAda();
    expect(await type("users", "grant", ADA, "business", "--days", "30")).toMatchObject({
      code: 0,
      data: { granted: { plan: "business", quantity: 1, until: expect.any(String) } },
    });
    const found = await product.identity.accountNamed(ADA);
    const accountId = found.ok ? found.value.accountId : "";
    expect(await product.billing.summaryOf(accountId)).toEqual({ plan: "business", active: true, bought: false });
    expect((await type("users", "revoke-grant", ADA)).code).toBe(0);
    expect(await type("users", "revoke-grant", ADA)).toMatchObject({
      code: 1,
      error: { message: "No plan was given to this account" },
    });
    expect((await type("users", "staff", ADA, "on")).code).toBe(0);
    expect((await type("users", "--state", "staff")).data).toMatchObject({ accounts: [{ email: ADA }] });
    expect(await type("users", "staff", ADA, "off")).toMatchObject({ code: 1, error: { code: "STAFF_LAST" } });
    expect((await type("users", "staff", ADA, "off", "--even-last")).code).toBe(0);
    expect(await acts()).toEqual(
      ["staff_withdrawn", "staff_granted", "plan_grant_ended", "plan_granted"].map((act) => `command_line: ${act}`),
    );
  });

  test("delete removes everything", async () => {
    const { type, product } = await withAda();
    const one = COMMANDS.find(({ name }) => name === "users delete");
    expect(one?.asks?.({ arguments: [ADA], options: {} })).toContain(ADA);
    expect((await type("users", "delete", ADA)).code).toBe(0);
    await settle(product);
    expect((await type("users")).data).toMatchObject({ accounts: [] });
    expect(await type("scan", ADA)).toMatchObject({ code: 1, error: { code: "NOT_WATCHED" } });
  });
});

describe("scan", () => {
  test("checks one address now, and prints the result", async () => {
    const { type, ground, acts } = await withAda();
    ground.feed.publish(canva);
    ground.feed.expose(ADA, "Canva");
    await type("catalogue", "sync");
    const answer = await type("scan", ADA.toUpperCase());
    expect(answer).toMatchObject({
      code: 0,
      data: { address: ADA, sources: [{ checked: 1, raised: 1, trouble: null, stillDue: 0 }] },
    });
    expect(await acts()).toEqual(["command_line: checks_started", "command_line: catalogue_read"]);
  });

  test("now checks only what is due, all makes every address due", async () => {
    const { type } = await withAda();
    expect((await type("scan", "now")).data).toMatchObject({ sources: [{ checked: 0 }] });
    expect((await type("scan", "all", "--later")).data).toMatchObject({ sources: [{ due: 1 }] });
    expect((await type("scan", "now")).data).toMatchObject({ sources: [{ checked: 1 }] });
    expect((await type("scan", "all")).data).toMatchObject({ sources: [{ checked: 1, stillDue: 0 }] });
  });

  test("names a failing source, and that it will be retried", async () => {
    const { type, ground } = await withAda();
    ground.feed.failNext("lookUp", { kind: "misconfigured", reason: "HIBP refused the API key" });
    expect(await type("scan", ADA)).toMatchObject({
      code: 1,
      error: { code: "SOURCE_TROUBLE" },
      data: { sources: [{ trouble: "HIBP refused the API key", stillDue: 1 }] },
    });
  });
});

describe("catalogue", () => {
  test("sync prints what is new, and what cannot be parsed", async () => {
    const { type, ground } = openedOffice();
    ground.feed.publish(adobe, canva);
    expect(await type("catalogue", "sync")).toMatchObject({
      code: 0,
      data: { sources: [{ added: ["Adobe", "Canva"], trouble: null }] },
    });
    expect(await type("catalogue", "sync", "--source", "other")).toMatchObject({
      code: 1,
      error: { code: "NO_SUCH_SOURCE" },
    });
    ground.feed.failNext("catalogue", { kind: "later", afterMs: 1, reason: "HIBP is unavailable" });
    expect(await type("catalogue", "sync")).toMatchObject({
      code: 1,
      data: { sources: [{ trouble: "HIBP is unavailable" }] },
    });
  });

  test("changes lists new entries and changed ones, since a day", async () => {
    const { type, ground } = openedOffice();
    ground.feed.publish(adobe, canva);
    await type("catalogue", "sync");
    ground.feed.publish(
      { ...adobe, dataClasses: [...adobe.dataClasses, "Phone numbers"], modifiedDate: "2026-02-02T00:00:00Z" },
      canva,
    );
    await type("catalogue", "sync");
    const answer = await type("catalogue", "changes", "--since", "2019-01-01");
    expect(answer.data).toMatchObject({ added: [{ name: "Canva" }], changes: [{ breach: "Adobe" }], isCut: false });
    expect((await type("catalogue", "changes", "--since", "1d")).data).toMatchObject({ added: [] });
  });
});

describe("deliveries", () => {
  test("shows dead messages without their contents, and sends one again", async () => {
    const { type, ground, product, acts } = await withAda();
    ground.sender.answer({ kind: "dead", cause: "message", reason: "552 too big" });
    ground.feed.publish(adobe, canva);
    ground.feed.expose(ADA, "Canva");
    await type("catalogue", "sync");
    await settle(product);
    const dead = (await type("deliveries", "dead")).data as { items: { id: string }[]; total: number };
    expect(dead.total).toBe(1);
    expect(JSON.stringify(dead)).not.toContain(ADA);
    const id = dead.items[0]?.id ?? "";
    const whyNot = (await type("deliveries", "--account", ADA)).data as { items: unknown[] };
    expect(whyNot.items).toContainEqual(
      expect.objectContaining({ id, state: "refused", reason: "rejected", detail: "552 too big", nextTryAt: null }),
    );
    expect((await type("deliveries", "show", id)).data).toMatchObject({
      reason: "rejected",
      attempts: [{ outcome: "dead", detail: "552 too big" }],
    });
    expect(await type("deliveries", "resend", id, "nonsense")).toMatchObject({
      code: 1,
      data: { changed: [id], refused: ["nonsense"] },
    });
    expect((await type("deliveries", "queue")).data).toMatchObject({ total: 1 });
    expect((await type("deliveries", "hold", id)).data).toEqual({ changed: [id], refused: [] });
    expect((await type("deliveries")).data).toMatchObject({
      held: 1,
      piles: [{ state: "held", reason: "operator", count: 1 }],
    });
    expect(await product.notifications.deliverDue()).toBe(0);
    expect((await type("deliveries", "release", id)).data).toEqual({ changed: [id], refused: [] });
    expect(await product.notifications.deliverDue()).toBe(1);
    const acted = (await acts()).filter((act) => act.includes("message"));
    expect(acted).toEqual(["released", "held", "resent"].map((what) => `command_line: message_${what}`));
  });

  test("sends all dead ones again, and reports unknown ids", async () => {
    const { type } = await withAda();
    expect((await type("deliveries", "resend", "--dead")).data).toEqual({ changed: [], refused: [] });
    expect(await type("deliveries", "--account", "nobody@example.com")).toMatchObject({
      code: 1,
      error: { code: "NOT_FOUND" },
    });
    expect(await type("deliveries", "show", crypto.randomUUID())).toMatchObject({
      code: 1,
      error: { code: "NOT_FOUND" },
    });
    expect(await type("deliveries", "hold", crypto.randomUUID())).toMatchObject({ code: 1 });
  });
});

describe("maintenance", () => {
  test("on, status and off; the service responds 503 in between", async () => {
    const { type, product, acts, ground } = await withAda();
    const on = await type("maintenance", "on", "--until", "30m", "--message", "Moving");
    const until = new Date(ground.clock.now().getTime() + 30 * 60_000).toISOString();
    expect(on.data).toMatchObject({ on: true, until, message: "Moving" });
    const answer = await product.app.request("/api/instance/nothing");
    expect([answer.status, answer.headers.get("Retry-After"), await answer.json()]).toEqual([
      503,
      "1800",
      { code: "MAINTENANCE", retryAfter: 1800 },
    ]);
    expect((await type("maintenance", "status")).data).toMatchObject({ on: true });
    expect((await type("maintenance", "off")).data).toMatchObject({ on: false, wasOn: true });
    expect((await type("maintenance", "off")).data).toMatchObject({ wasOn: false });
    expect((await product.app.request("/api/instance/nothing")).status).toBe(404);
    expect(await acts()).toEqual(["command_line: maintenance_ended", "command_line: maintenance_started"]);
  });
});

test("an unexpected failure is reported without the parameters of a query", async () => {
  const { office, type } = openedOffice();
  office.product.operations.currentMaintenance = () =>
    Promise.reject(new Error("Failed query: select 1\nparams: canary-secret"));
  const answer = await type("maintenance", "status");
  expect(answer).toMatchObject({ code: 1, error: { code: "FAILED" } });
  expect(JSON.stringify(answer)).not.toContain("canary-secret");
});

test("import requires a source that accepts files", async () => {
  const { type } = openedOffice();
  expect(await type("import", "/no/such/file")).toMatchObject({ code: 1, error: { code: "NO_DATASET_SOURCE" } });
  const other = openedOffice({ BREACH_SOURCE: "bundled,dataset" });
  expect(await other.type("import", "/no/such/file")).toMatchObject({ code: 1, error: { code: "NO_SUCH_FILE" } });
});

test("import is refused in maintenance mode, and nothing is requested or logged", async () => {
  const { type, acts } = openedOffice({ BREACH_SOURCE: "bundled,dataset" });
  await type("maintenance", "on");
  const refused = await type("import", "/no/such/file");
  expect(refused).toMatchObject({ code: 1, error: { code: "MAINTENANCE" } });
  expect(refused.error?.message).toContain("breachbell maintenance off");
  expect(await acts()).toEqual(["command_line: maintenance_started"]);
});
