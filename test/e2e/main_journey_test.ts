import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";
import { freePort } from "../support/ports.ts";
import { type ReceivedMail, type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";
import { codeIn } from "./api.ts";
import {
  eventually,
  type Product,
  removeDirectory,
  startProduct,
  temporaryDirectory,
  type Visit,
  visit,
} from "./product.ts";
import { steps } from "./steps.ts";

const ALICE = "alice@example.com";
const FRIEND = "friend@example.org";

/**
 * The main journey, end to end: the real process on the embedded database, mail through SMTP, breaches from Have I Been
 * Pwned's contract. Each test continues where the previous one ended.
 */
describe("The main journey", () => {
  let hibp: HibpPeer;
  let smtp: SmtpPeer;
  let product: Product;
  let guest: Visit;
  const dataDir = temporaryDirectory();
  let env: Record<string, string>;
  let port: number;

  beforeAll(async () => {
    hibp = await startHibpPeer({ published: "2025-11-14" });
    hibp.addAccount(ALICE, ["Adobe", "LinkedIn"]);
    smtp = await startSmtpPeer();
    env = {
      SMTP_URL: smtp.url,
      MAIL_FROM: "Breachbell <alerts@breachbell.example>",
      HIBP_BASE_URL: hibp.url,
      HIBP_API_KEY: hibp.apiKey,
      HIBP_POLL_SECONDS: "1",
    };
    port = await freePort();
    product = await startProduct(env, dataDir, port);
    guest = await visit(product.url, { viewport: { width: 1440, height: 900 } });
  });
  afterAll(async () => {
    await guest?.close();
    await product?.stop();
    await hibp?.stop();
    await smtp?.close();
    removeDirectory(dataDir);
  });

  const mailsTo = (address: string) => smtp.received.filter(({ to }) => to.includes(address));
  const mailTo = (address: string, matches: (text: string) => boolean, within?: number) =>
    eventually(`a mail to ${address}`, () => mailsTo(address).find(({ mail }) => matches(mail.text ?? "")), within);
  const linkIn = ({ mail }: ReceivedMail, part: string) => {
    const link = mail.text?.match(/https?:\/\/\S+/g)?.find((url) => url.includes(part));
    if (link === undefined) throw new Error(`There is no ${part} link in the mail`);
    return link;
  };

  test("registers, logs in with a mailed code, and reaches the dashboard", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page.goto("/");
    await page.waitForURL("**/en/login");
    await page.waitForFunction((title) => document.title === title, "Log in · Breachbell");
    await english.register("Alice@Example.com");
    await english.logIn(ALICE);
    const code = await mailTo(ALICE, (text) => /\b\d{6}\b/.test(text));
    await english.enterCode(codeIn(code.mail.text ?? ""));
    await page.waitForURL("**/en/dashboard");
    await english.heading("dashboard.title").waitFor();
  });

  test("tracks the own address: one report of past breaches, alerts in the table, the status on the dashboard", async () => {
    const { page } = guest;
    const english = steps(page, "en");
    await page
      .getByRole("link", { name: english.say("nav.new_track") })
      .first()
      .click();
    await page.waitForURL("**/en/new-track");
    await page.getByRole("combobox", { name: english.say("contacts.email") }).fill(FRIEND);
    await page.keyboard.press("Enter");
    await english.button("track.submit").click();
    await page.waitForURL("**/en/dashboard");
    await page.getByRole("row", { name: english.say("status.breached") }).waitFor();

    const report = await mailTo(ALICE, (text) => text.includes("Adobe"));
    expect(report.mail.text).toContain("LinkedIn");
    expect(mailsTo(ALICE).filter(({ mail }) => mail.text?.includes("Adobe"))).toHaveLength(1);

    await page.goto("/en/alerts?state=all");
    await page
      .getByRole("button", { name: english.say("alerts.handle_label", { title: "Adobe", address: ALICE }) })
      .click();
    await page
      .getByRole("dialog")
      .getByRole("button", { name: english.say("alerts.handle"), exact: true })
      .click();
    await page.getByText(english.say("alerts.now_handled", { title: "Adobe" })).waitFor();
    await page
      .getByRole("button", { name: english.say("alerts.reopen_label", { title: "Adobe", address: ALICE }) })
      .waitFor();
  });

  test("asks another person's contact once, and sends it nothing before it confirms", async () => {
    const asked = await mailTo(FRIEND, (text) => text.includes("manage-contact"));
    expect(mailsTo(FRIEND)).toHaveLength(1);
    expect(asked.mail.text).not.toContain("Adobe");
    const friend = await visit(product.url);
    const english = steps(friend.page, "en");
    await friend.page.goto(linkIn(asked, "manage-contact"));
    await english.button("contact.confirm").waitFor();
    // Opening the link changed nothing.
    expect(mailsTo(FRIEND)).toHaveLength(1);
    await english.button("contact.confirm").click();
    await friend.page.getByText(english.say("contact.confirmed_title")).first().waitFor();
    const report = await mailTo(FRIEND, (text) => text.includes("Adobe"));
    expect(report.mail.text).toContain(ALICE);
    expect(friend.violations).toEqual([]);
    await friend.close();
  });

  test("a breach is published: one alert, one mail per contact, with complete contents", async () => {
    const before = smtp.received.length;
    hibp.addAccount(ALICE, ["Adobe", "LinkedIn", "Suno"]);
    hibp.publish("2026-07-20");
    const [own, friends] = await Promise.all([
      mailTo(ALICE, (text) => text.includes("Suno")),
      mailTo(FRIEND, (text) => text.includes("Suno")),
    ]);
    expect(smtp.received).toHaveLength(before + 2);
    const classes = [
      "Email addresses",
      "Names",
      "Partial credit card",
      "Phone numbers",
      "Physical addresses",
      "Purchases",
    ];
    for (const { mail } of [own, friends]) {
      for (const part of [ALICE, "Suno", "2026", ...classes]) {
        expect(mail.text).toContain(part);
        expect(mail.html).toContain(part);
      }
      expect(mail.text).toContain("haveibeenpwned.com");
      const headers = Object.fromEntries(mail.headers.map(({ key, value }) => [key, value]));
      expect(headers["list-unsubscribe-post"]).toBe("List-Unsubscribe=One-Click");
    }

    const { page } = guest;
    await page.goto(linkIn(own, "/alerts?alert="));
    await page.getByRole("dialog").getByText("Suno").first().waitFor();
  });

  test("the one-click link stops the messages, and opening either link changes nothing", async () => {
    const alert = await mailTo(FRIEND, (text) => text.includes("Suno"));
    const header = alert.mail.headers.find(({ key }) => key === "list-unsubscribe")?.value ?? "";
    const oneClick = header.slice(1, -1);
    const opened = await fetch(oneClick, { redirect: "manual" });
    expect(opened.status).toBe(303);
    const page = (await visit(product.url)).page;
    const english = steps(page, "en");
    await page.goto(linkIn(alert, "manage-contact"));
    await english.button("contact.stop").waitFor();

    const body = new URLSearchParams({ "List-Unsubscribe": "One-Click" });
    expect((await fetch(oneClick, { method: "POST", body })).status).toBe(200);
    const again = await page.context().newPage();
    await again.goto(linkIn(alert, "manage-contact"));
    await steps(again, "en").button("contact.resume").waitFor();
    await page.context().close();

    hibp.addAccount(ALICE, ["Adobe", "LinkedIn", "Suno", "Latest"]);
    hibp.publish({
      Name: "Latest",
      Title: "Latest Breach",
      AddedDate: "2026-08-01T10:00:00Z",
      DataClasses: ["Email addresses", "Passwords"],
    });
    await mailTo(ALICE, (text) => text.includes("Latest Breach"));
    expect(mailsTo(FRIEND).filter(({ mail }) => mail.text?.includes("Latest Breach"))).toEqual([]);
  });

  test("a kill -9 loses nothing: the same session, address and alerts after the next start", async () => {
    await product.kill();
    product = await startProduct(env, dataDir, port);
    const { page } = guest;
    await page.goto("/en/alerts?state=all");
    for (const title of ["Adobe", "LinkedIn", "Suno", "Latest Breach"]) {
      await page.getByText(title, { exact: true }).locator("visible=true").first().waitFor();
    }
    expect(smtp.received.filter(({ mail }) => mail.text?.includes("Latest Breach"))).toHaveLength(1);
    expect(guest.violations).toEqual([]);
    expect(guest.errors).toEqual([]);
  });

  test("a second process on the same data is refused, naming the owner", async () => {
    const second = Bun.spawnSync([process.execPath, "src/main.ts"], {
      cwd: `${import.meta.dir}/../..`,
      env: { PATH: process.env.PATH ?? "", DATA_DIR: dataDir, PORT: String(await freePort()) },
    });
    expect(second.exitCode).toBe(1);
    expect(second.stderr.toString()).toContain("in use by process");
  });

  test("SIGTERM ends it cleanly", async () => {
    expect(await product.stop()).toBe(0);
  });
});
