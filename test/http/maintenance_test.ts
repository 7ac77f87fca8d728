import { describe, expect, test } from "bun:test";
import { languageOf, maintenancePage } from "../../src/http/maintenance.ts";
import { intlTranslate } from "../../src/notifications/adapters/intl.ts";
import { LANGUAGES } from "../../src/shared/language.ts";
import { memoryGround, worldOn } from "../support/world.ts";

const say = intlTranslate();

async function resting(message?: string) {
  const ground = memoryGround();
  const world = worldOn(ground);
  const until = new Date(ground.clock.now().getTime() + 20 * 60_000);
  await world.operations.startMaintenance({ until, message });
  return { ground, world, app: world.app };
}

describe("while the service rests", () => {
  test("people see a calm page in their language, with when to come back; nothing of it is kept", async () => {
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
    "/api/check-user-authentication/",
    "/api/login",
    "/api/service-status",
    "/api/stripe/webhook",
    "/api/telegram/webhook",
  ])("programs get a code and when to come back from %s", async (path) => {
    const { app } = await resting();
    for (const method of ["GET", "POST"]) {
      const answer = await app.request(path, { method });
      expect([answer.status, answer.headers.get("Retry-After")]).toEqual([503, "1200"]);
      expect(await answer.json()).toEqual({ code: "MAINTENANCE", retryAfter: 1200 });
    }
  });

  test("what looks after the service goes on, and so do its files", async () => {
    const { app } = await resting();
    for (const path of ["/livez", "/readyz"]) expect((await app.request(path)).status).toBe(200);
    for (const path of ["/assets/app.js", "/favicon.ico"]) expect((await app.request(path)).status).toBe(404);
    expect((await app.request("/en/screen-track/ada@example.com")).status).toBe(503);
  });

  test("another process knows within a second, and works again within one", async () => {
    const { ground, world } = await resting();
    const other = worldOn(ground);
    expect((await other.app.request("/en/login")).status).toBe(503);
    await world.operations.endMaintenance();
    expect((await other.app.request("/en/login")).status).toBe(503);
    ground.clock.pass(1000);
    expect((await other.app.request("/en/login")).status).toBe(404);
    expect(other.operations.isResting()).toBe(false);
  });

  test("no message is taken up, until it is over", async () => {
    const { world, ground } = await resting();
    await world.notifications.onMailRequested({
      ...{ type: "mail.requested", to: "ada@breachbell.example", language: "en", template: "login_code" },
      params: { minutes: "10" },
      secrets: { code: "123456" },
    } as never);
    await world.operations.currentMaintenance();
    expect(await world.notifications.deliverDue()).toBe(0);
    await world.operations.endMaintenance();
    ground.clock.pass(1000);
    await world.operations.currentMaintenance();
    expect(await world.notifications.deliverDue()).toBe(1);
  });
});

test("the page's words are there in six languages, with the end where it lies ahead", () => {
  const now = () => new Date("2026-03-02T08:00:00Z");
  for (const language of LANGUAGES) {
    const rest = { since: now(), until: new Date("2026-03-02T10:30:00Z"), message: undefined };
    const words = { say, supportEmail: "help@b.example", now, nonce: "n" };
    const page = maintenancePage(rest, language, words);
    expect(page).toContain(`<html lang="${language}">`);
    expect(page).toMatch(/10[:.h]30/);
    expect(maintenancePage({ ...rest, until: now() }, language, words)).not.toMatch(/10[:.h]30/);
  }
});

test.each([
  ["/it/login", "de", "it"],
  ["/", "pt-BR,pt;q=0.9,en;q=0.8", "pt"],
  ["/x", "nl, en;q=0.2, es;q=0.7", "es"],
  ["/", undefined, "en"],
  ["/", "de;q=0, *", "en"],
] as const)("languageOf(%s, %s) is %s", (path, accepted, language) => {
  expect(languageOf(path, accepted)).toBe(language);
});
