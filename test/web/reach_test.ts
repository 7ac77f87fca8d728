import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { reachOf } from "../../src/notifications/contacts/reach.ts";
import type { ContactHealth } from "../../web/api/api.ts";
import { failureOf, todoOf } from "../../web/notifications/contact_state.ts";
import { settingsOf, settingsValuesOf } from "../../web/notifications/settings_values.ts";
import { moreThanName, typedName } from "../../web/shared/contact_name.ts";
import { lookAgain, reasonOf } from "../../web/shared/delivery_words.ts";
import { openSite, settled } from "./browser.ts";
import { scene } from "./fake_api.ts";
import { contact } from "./fake_contacts.ts";

const A = { associationId: "a1", address: "a@example.org" };
const B = { associationId: "a2", address: "b@example.org" };
type Use = typeof A;
const of = (state: ContactHealth["state"], ...usedBy: ContactHealth["usedBy"]) => ({ state, own: false, usedBy });

describe("contact rules", () => {
  test("reachOf() finds the addresses without a working contact", () => {
    const none = { dead: [], deadCount: 0, unanswered: [], unansweredCount: 0, ownStopped: false };
    const isDead = (...dead: Use[]) => ({ ...none, dead, deadCount: dead.length });
    const isUnanswered = (...unanswered: Use[]) => ({ ...none, unanswered, unansweredCount: unanswered.length });
    expect(reachOf([of("active", A), of("broken", A, B)])).toEqual({ ...isDead(B), troubled: 1 });
    expect(reachOf([of("unconfirmed", A), of("unsubscribed", A)])).toEqual({ ...isDead(A), troubled: 2 });
    expect(reachOf([of("unconfirmed", A), of("broken")])).toEqual({ ...isUnanswered(A), troubled: 1 });
    expect(reachOf([of("active", A, B)])).toEqual({ ...none, troubled: 0 });
    const stopped = { ...of("unsubscribed", A), own: true };
    expect(reachOf([stopped])).toEqual({ ...isDead(A), troubled: 1, ownStopped: true });
    const many = Array.from({ length: 9 }, (_, index) => ({
      associationId: `b${index}`,
      address: `b${index}@example.org`,
    }));
    expect(reachOf([of("broken", ...many)])).toEqual({ ...none, dead: many.slice(0, 5), deadCount: 9, troubled: 1 });
  });

  test("todoOf() returns the remedy, and nothing for working contacts", () => {
    expect(todoOf(contact("c", {}))).toBeUndefined();
    expect(todoOf(contact("c", { channel: "telegram", state: "unconfirmed" }))).toBe("contact_todo.unconnected");
    expect(todoOf(contact("c", { channel: "webhook", state: "unconfirmed" }))).toBe("contact_todo.no_secret");
    expect(todoOf(contact("c", { state: "unconfirmed" }))).toBe("contact_todo.unconfirmed");
    expect(todoOf(contact("c", { state: "unconfirmed", asked: false }))).toBe("contact_todo.unasked");
    expect(todoOf(contact("c", { state: "broken" }))).toBe("contact_todo.broken");
  });

  test("moreThanName() does not repeat a Telegram chat's name", () => {
    const chat = (label: string | null) =>
      moreThanName(contact("c", { channel: "telegram", value: "ada_bell", label }));
    expect([chat("@ada_bell (Ada Bell)"), chat("@ada_bell (ada_bell)"), chat("@Ada_Bell"), chat(null)]).toEqual([
      "Ada Bell",
      undefined,
      undefined,
      undefined,
    ]);
    expect([chat("@ada_old (Ada)"), chat("The family")]).toEqual(["@ada_old (Ada)", "The family"]);
    expect(moreThanName(contact("c", { channel: "slack", label: "Team" }))).toBeUndefined();
  });

  test("typedName() writes a Telegram username with its @, and leaves what is not one as it is", () => {
    const named = ["ada_bell", "@Ada_Bell", "a"].map((value) => typedName({ channel: "telegram", value }));
    expect(named).toEqual(["@ada_bell", "@Ada_Bell", "a"]);
    expect(typedName({ channel: "ntfy", value: "ada_bell" })).toBe("ada_bell");
  });

  test("failureOf() translates a provider's error into plain language", () => {
    expect(
      [
        "EENVELOPE RCPT TO 550 5.1.1 <x@y> User unknown",
        "EENVELOPE RCPT TO 552 5.2.2 Mailbox full",
        "Telegram 403: Forbidden: bot was blocked by the user",
        "Telegram 403: Forbidden: user is deactivated",
        "Telegram 429: Too Many Requests: retry after 5",
        "Cannot reach the webhook: no answer in time",
        "ECONNECTION CONN connect ECONNREFUSED",
        "The webhook answered 503",
        "The webhook answered 410",
        "the address lies in a private network",
        null,
      ].map((detail) => failureOf(detail).replace("failure.", "")),
    ).toEqual([
      ...["missing", "full", "blocked", "deactivated", "busy", "unreachable", "unreachable"],
      ...["theirs", "refused", "place", "other"],
    ]);
  });

  test("reasonOf() distinguishes temporary from permanent rejections, and a chat from a mailbox", () => {
    const email = { channel: "email", reason: "refused" } as const;
    expect(reasonOf({ ...email, state: "retrying" })).toBe("reason.refused_once");
    expect(reasonOf({ ...email, state: "refused" })).toBe("reason.refused");
    const waiting = { state: "waiting", reason: "unconfirmed" } as const;
    expect(reasonOf({ ...waiting, channel: "telegram" })).toBe("reason.unconnected");
    expect(reasonOf({ ...waiting, channel: "email" })).toBe("reason.unconfirmed");
    expect(reasonOf({ ...email, state: "accepted", reason: null })).toBeUndefined();
  });

  test("lookAgain() ends when all deliveries have ended", () => {
    expect(lookAgain([{ state: "accepted" }, { state: "queued" }])).toBe(1500);
    expect(lookAgain([{ state: "accepted" }, { state: "retrying" }])).toBe(6000);
    expect(lookAgain([{ state: "accepted" }, { state: "refused" }, { state: "skipped" }])).toBe(false);
    expect(lookAgain()).toBe(false);
  });

  test("settingsOf() returns the stored settings, and no time zone without a time", () => {
    const { settings } = contact("c", {});
    expect(settingsOf(settingsValuesOf(contact("c", {}), "Europe/Zurich"))).toEqual({
      discreet: false,
      emergency: false,
      language: null,
      digestBelow: null,
      digestHour: null,
      quiet: null,
      zone: null,
      device: null,
    });
    const always = contact("c", { settings: { ...settings, digestBelow: "always", zone: "Asia/Tokyo" } });
    expect(settingsOf(settingsValuesOf(always, "Europe/Zurich"))).toMatchObject({
      digestBelow: "critical",
      digestHour: 8,
      zone: "Asia/Tokyo",
    });
  });
});

describe("contacts on the tracking screens", () => {
  let opened: Awaited<ReturnType<typeof openSite>>;
  beforeAll(async () => {
    opened = await openSite();
  }, 120_000);
  afterAll(() => opened.close());

  test("a red notice names the addresses whose contacts have all failed, and links to the contacts", async () => {
    opened.site.set({ contacts: [contact("c1", { state: "broken", usedBy: [A, B] })] });
    const { page, leave } = await opened.visit("/en/dashboard");
    const notice = page.getByRole("alert").filter({ hasText: "No contact of these addresses can be reached." });
    await notice.getByRole("link", { name: "a@example.org" }).waitFor();
    await notice.getByRole("link", { name: "b@example.org" }).waitFor();
    await notice.getByRole("link", { name: "See contacts" }).click();
    await page.waitForURL("**/en/contacts");
    await leave();
  }, 30_000);

  test("who has stopped the messages to their own address is told that alerts appear here only, and can resume them", async () => {
    opened.site.set({ contacts: [contact("c1", { own: true, state: "unsubscribed", usedBy: [A] })] });
    const { page, leave } = await opened.visit("/en/dashboard");
    const notice = page.getByRole("alert").filter({ hasText: "Alerts about it appear only here." });
    await notice.getByRole("link", { name: "See contacts" }).click();
    await page.getByText("You have stopped the messages to this address").waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((sent) => sent.method() === "POST" && sent.url().includes("/api/contacts/")),
      page.getByRole("button", { name: "Send messages again" }).click(),
    ]);
    expect(new URL(request.url()).pathname).toBe("/api/contacts/c1/repair");
    await page.getByText("The next messages will go to").waitFor();
    await leave();
  }, 30_000);

  test("contacts that need attention are counted, and nothing is shown if all work", async () => {
    const contacts = [contact("c1", { usedBy: [A] }), contact("c2", { state: "unsubscribed", usedBy: [A] })];
    opened.site.set({ contacts });
    const { page, leave } = await opened.visit("/en/dashboard");
    await page.getByText("1 contact needs your attention").waitFor();
    expect(await page.getByRole("alert").count()).toBe(0);
    opened.site.set();
    await page.reload();
    await settled(page);
    await page.getByRole("heading", { name: "carol@example.com" }).waitFor();
    expect(await page.getByRole("link", { name: "See contacts" }).count()).toBe(0);
    await leave();
  }, 30_000);

  test("a new address with an unconnected Telegram contact says so, and links to it", async () => {
    const channels = ["email", "telegram"] as const;
    const connected = contact("c3", { channel: "telegram", value: "bob_bell" });
    opened.site.set({ instance: { ...scene().instance, channels: [...channels] }, contacts: [connected] });
    const { page, leave } = await opened.visit("/en/new-track");
    await page.getByLabel("Email address", { exact: true }).fill("alice.archer@example.com");
    await page.getByRole("checkbox", { name: "Telegram" }).check();
    for (const name of ["@Alice_Bell", "bob_bell"]) {
      await page.getByPlaceholder("Add a username").fill(name);
      await page.keyboard.press("Enter");
    }
    await page.getByRole("button", { name: "Start tracking" }).click();
    await page.getByText("1 Telegram contact still needs to be connected").waitFor();
    await page.getByText("alice.archer@example.com is now being tracked.").waitFor();
    await page.getByRole("button", { name: "Connect", exact: true }).click();
    await page.waitForURL("**/en/contacts");
    await leave();
  }, 30_000);
});
