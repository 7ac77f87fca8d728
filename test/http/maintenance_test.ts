import { describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maintenancePage } from "../../src/http/maintenance.ts";
import { intlTranslate } from "../../src/notifications/adapters/translate.ts";
import { LANGUAGES, localeOf } from "../../src/shared/language.ts";
import { aBreach, accepted } from "../support/builders.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const say = intlTranslate();
const adaptersBacklog = ({ outbox }: Ground) => outbox.backlog();
const TRACKED = { owner: true, language: "en", contacts: { email: ["admin@example.com"] } };

async function resting(message?: string) {
  const ground = memoryGround();
  const world = worldOn(ground);
  const until = new Date(ground.clock.now().getTime() + 20 * 60_000);
  await world.operations.startMaintenance({ until, message });
  return { ground, world, app: world.app };
}

describe("in maintenance mode", () => {
  test("people see a page in their language with the expected end; it is not cached", async () => {
    const { app } = await resting("<b>Moving</b>");
    const answer = await app.request("/de/dashboard", { headers: { "Accept-Language": "fr" } });
    const page = await answer.text();
    expect(answer.status).toBe(503);
    expect(answer.headers.get("Retry-After")).toBe("1200");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(answer.headers.get("Content-Security-Policy")).toContain("style-src 'self' 'nonce-");
    expect(page).toContain('<html lang="de">');
    expect(page).toContain("&lt;b&gt;Moving&lt;/b&gt;");
    expect(page).not.toContain("<b>");
  });

  test.each([
    "/api/me",
    "/api/register",
    "/api/verify-code",
    "/api/service-status",
    "/api/stripe/webhook",
    "/api/telegram/webhook",
  ])("programs get a code and a Retry-After from %s", async (path) => {
    const { app } = await resting();
    for (const method of ["GET", "POST"]) {
      const answer = await app.request(path, { method });
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1200"]);
      expect(await answer.json()).toEqual({ code: "MAINTENANCE", retryAfter: 1200 });
    }
  });

  test("monitoring and its files remain available", async () => {
    const { app } = await resting();
    for (const path of ["/livez", "/readyz"]) expect((await app.request(path)).status).toBe(200);
    // There is no website in this test, so there are no files.
    for (const path of ["/assets/app.js", "/favicon.ico", "/en/screen-track/ada@example.com"])
      expect((await app.request(path)).status).toBe(503);
  });

  test("only existing files are served, and only for reading", async () => {
    const { ground } = await resting();
    const webDirectory = mkdtempSync(join(tmpdir(), "breachbell-resting-"));
    mkdirSync(join(webDirectory, "assets"));
    for (const name of ["index.html", "favicon.ico", "assets/app.js"]) writeFileSync(join(webDirectory, name), "{}");
    const { app } = composed({ ...adaptersOn(ground), webDirectory });
    rmSync(webDirectory, { recursive: true });
    for (const path of ["/favicon.ico", "/assets/app.js"])
      for (const method of ["GET", "HEAD"]) expect((await app.request(path, { method })).status).toBe(200);
    for (const method of ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
      for (const path of ["/favicon.ico", "/livez", "/mailbox", "/u/v1.token", "/u/v1.token.js", "/x.y"])
        expect([method, path, (await app.request(path, { method })).status]).toEqual([method, path, 503]);
    for (const path of ["/index.html", "/assets/none.js", "/u/v1.token", "/sandbox/checkout/a.b"])
      expect((await app.request(path)).status).toBe(503);
  });

  test("a link of a mail has no effect", async () => {
    const ground = memoryGround();
    const world = worldOn(ground);
    const call = await signedUp(world, "admin@example.com");
    await call("POST", "/api/associations", { ...TRACKED, address: "admin@example.com" });
    await settle(world);
    ground.feed.publish(aBreach());
    ground.feed.expose("admin@example.com", "Adobe");
    await world.breaches.pollCatalogue();
    await settle(world);
    const link = /\/u\/[\w.-]+/.exec(JSON.stringify(ground.sender.sent))?.[0] ?? "";
    expect(link).toContain(".");
    await world.operations.startMaintenance({ until: undefined, message: undefined });
    const stop = () =>
      world.app.request(link, {
        method: "POST",
        headers: { "Content-Type": "application/x-www-form-urlencoded" },
        body: "List-Unsubscribe=One-Click",
      });
    expect((await stop()).status).toBe(503);
    await world.operations.endMaintenance();
    ground.clock.pass(1000);
    expect((await stop()).status).toBe(200);
  });

  test("another process enters it within a second, and leaves it within one", async () => {
    const { ground, world } = await resting();
    const other = worldOn(ground);
    expect((await other.app.request("/en/login")).status).toBe(503);
    await world.operations.endMaintenance();
    expect((await other.app.request("/en/login")).status).toBe(503);
    ground.clock.pass(1000);
    expect((await other.app.request("/en/login")).status).toBe(404);
    expect(other.operations.isUnderMaintenance()).toBe(false);
  });

  test("no message except codes is sent until it ends", async () => {
    const { world, ground } = await resting();
    const due = async () => (await world.notifications.backlog()).due;
    const mail = { type: "mail.requested", to: "ada@breachbell.example", language: "en" };
    await world.notifications.onMailRequested({ ...mail, template: "password_changed", params: {} } as never);
    await world.notifications.onMailRequested({
      ...mail,
      template: "login_code",
      params: { firstName: "Ada", minutes: "10" },
      sealed: undefined,
    } as never);
    await world.operations.currentMaintenance();
    expect(await due()).toBe(2);
    expect(await world.notifications.deliverDue()).toBe(1);
    expect(await due()).toBe(1);
    await world.operations.endMaintenance();
    ground.clock.pass(1000);
    await world.operations.currentMaintenance();
    expect(await world.notifications.deliverDue()).toBe(1);
  });
});

describe("the staff in maintenance mode", () => {
  const ADMIN = "admin@example.com";
  const ALICE = "alice@example.com";
  const password = "Tranquil-Harbour-42";

  /** A staff member and another user, both logged in before it began. */
  async function office() {
    const ground = memoryGround();
    const world = worldOn(ground);
    const [admin, alice] = [await signedUp(world, ADMIN), await signedUp(world, ALICE)];
    accepted(
      await world.identity.setStaff(accepted(await world.identity.accountNamed(ADMIN)).accountId, { staff: true }),
    );
    await settle(world);
    const visitor = () => {
      let cookie = "";
      return async (method: string, path: string, body?: object) => {
        const headers = { "Sec-Fetch-Site": "same-origin", Cookie: cookie, "Content-Type": "application/json" };
        const answer = await world.app.request(path, { method, headers, ...(body && { body: JSON.stringify(body) }) });
        cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
        return answer;
      };
    };
    await world.operations.startMaintenance({ until: undefined, message: undefined });
    const { jobs } = world;
    const run = async (...names: string[]) => {
      for (const { name, always, run: work } of jobs) if (always && names.includes(name)) await work();
    };
    return { ground, world, admin, alice, visitor, run };
  }

  test("keeps working where it was logged in, and nobody else does", async () => {
    const { admin, alice, world } = await office();
    expect((await admin("GET", "/api/staff/overview")).status).toBe(200);
    expect((await admin("GET", "/api/me")).status).toBe(200);
    expect((await alice("GET", "/api/me")).status).toBe(503);
    expect((await world.app.request("/en/login")).status).toBe(503);
    // There is no web app in this test, but it is not the maintenance page that responds.
    expect((await world.app.request("/de/staff/users")).status).toBe(404);
    expect((await world.app.request("/de/staffroom")).status).toBe(503);
    const program = { Authorization: "Bearer nothing" };
    expect((await world.app.request("/api/staff/overview", { headers: program })).status).toBe(503);
  });

  test("can log in, and the code is mailed; others are told about the maintenance once the password is correct", async () => {
    const { visitor, run, ground } = await office();
    const admin = visitor();
    expect((await admin("GET", "/api/check-user-authentication/")).status).toBe(200);
    expect((await admin("POST", "/api/login", { email: ADMIN, password })).status).toBe(200);
    expect(await (await admin("GET", "/api/sign-in")).json()).toMatchObject({ email: ADMIN, methods: ["email"] });
    const codes = () => ground.sender.sent.filter(({ kind, to }) => kind === "login_code" && to.value === ADMIN).length;
    const before = codes();
    await run("events", "deliver");
    expect(codes()).toBe(before + 1);
    expect((await admin("POST", "/api/verify-code", { code: "123456" })).status).toBe(200);
    expect((await admin("GET", "/api/staff/overview")).status).toBe(200);

    const alice = visitor();
    const wrong = await alice("POST", "/api/login", { email: ALICE, password: "Wrong-Harbour-42" });
    expect([wrong.status, await wrong.json()]).toEqual([401, { code: "CREDENTIALS_INVALID" }]);
    const right = await alice("POST", "/api/login", { email: ALICE, password });
    expect([right.status, await right.json()]).toEqual([503, { code: "MAINTENANCE" }]);
  });

  test("leaves all other processing paused", async () => {
    const { admin, run, world, ground } = await office();
    const sent = ground.sender.sent.length;
    expect((await admin("POST", "/api/associations", { ...TRACKED, address: ADMIN })).status).toBe(201);
    const { waiting } = await adaptersBacklog(ground);
    expect(waiting).toBeGreaterThan(0);
    await run("events", "deliver");
    expect((await adaptersBacklog(ground)).waiting).toBe(waiting);
    expect(ground.sender.sent).toHaveLength(sent);
    expect(world.operations.isUnderMaintenance()).toBe(true);
  });
});

test("the page is translated into six languages, with the end if it is in the future", () => {
  const now = () => new Date("2026-03-02T08:00:00Z");
  for (const language of LANGUAGES) {
    const rest = { since: now(), until: new Date("2026-03-02T10:30:00Z"), message: undefined };
    const words = { say, supportEmail: "help@b.example", now, nonce: "n" };
    const page = maintenancePage(rest, language, words);
    expect(page).toContain(`<html lang="${localeOf(language)}">`);
    expect(page).toMatch(/10[:.h]30/);
    expect(maintenancePage({ ...rest, until: now() }, language, words)).not.toMatch(/10[:.h]30/);
  }
});
