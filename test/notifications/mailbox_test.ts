import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inboxRoutes, mailboxSender } from "../../src/notifications/adapters/channels/inbox/mailbox.ts";
import { previewOf } from "../../src/notifications/adapters/channels/inbox/mailbox_pages.ts";
import { alertContent } from "../../src/notifications/messages/alert_message.ts";
import type { Content } from "../../src/notifications/messages/content.ts";
import { codeContent } from "../../src/notifications/messages/message.ts";
import { adobe, translate } from "./post_office.ts";

const directories: string[] = [];
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true });
});

function mailbox(isLocal = true) {
  const directory = mkdtempSync(join(tmpdir(), "mailbox-"));
  directories.push(directory);
  const sender = mailboxSender({ directory, from: "Breachbell <alerts@breachbell.example>" });
  const now = () => new Date("2026-03-02T08:00:00Z");
  const publicUrl = "http://localhost:3000";
  const routes = inboxRoutes({ directory, isLocal: () => isLocal, publicUrl, translate, now });
  return {
    directory,
    send: (content: Content, to = "alice@home.example") =>
      sender.send({ deliveryId: "1", messageId: "<1@x.example>", to: { channel: "email", value: to }, content }),
    get: (path: string, headers: Record<string, string> = {}) => routes.request(path, { headers }),
    async messages(): Promise<{ id: string; to: string; subject: string; text: string; html: string; date: string }[]> {
      return (await routes.request("/mailbox/messages")).json();
    },
  };
}

const code = (value: string) => codeContent({ code: value, minutes: "10", language: "en", translate });
const hostile = alertContent(
  {
    alertId: "a1",
    associationId: "home",
    accountId: "alice",
    address: "alice@home.example",
    state: "pending",
    version: 1,
    raisedAt: "2026-03-02T08:00:00Z",
    breach: {
      ...adobe,
      title: `<script>alert(1)</script>" style="color:red" onload="x`,
      dataClasses: [`<img src=x onerror=alert(1)>`],
    },
    sources: ["hibp"],
    foundUnder: [],
  },
  {
    translate,
    language: "en",
    publicUrl: "https://breachbell.example",
    stopUrl: "https://breachbell.example/en/manage-contact#t=v1.x",
    sources: ["hibp"],
    now: new Date("2026-03-02T08:00:00Z"),
  },
);

/** The content that the policy allows: our own nonce, and nothing inline. */
function expectToObeyPolicy(response: Response, html: string): void {
  const policy = response.headers.get("Content-Security-Policy") ?? "";
  const nonce = /style-src 'self' 'nonce-([\w-]+)'/.exec(policy)?.[1];
  expect(nonce).toMatch(/^\w{32}$/);
  expect(policy).toContain("default-src 'none'");
  expect(policy).not.toContain("unsafe");
  expect([...html.matchAll(/<style([^>]*)>/g)].map(([, attributes]) => attributes)).toEqual([` nonce="${nonce}"`]);
  const tags = html.match(/<[a-z][^>]*>/gi) ?? [];
  expect(
    tags.filter((tag) => /\sstyle=|\son\w+=|<script(?! src="\/mailbox\/inbox\.js" defer>)|<img|<iframe/i.test(tag)),
  ).toEqual([]);
}

describe("mailboxSender()", () => {
  test("keeps the newest 200, readable by the owner only", async () => {
    const box = mailbox();
    for (let mails = 0; mails < 205; mails++) await box.send(code(String(mails).padStart(6, "0")));
    const files = readdirSync(box.directory);
    expect(files).toHaveLength(200);
    expect(statSync(join(box.directory, files[0] ?? "")).mode & 0o077).toBe(0);
    const messages = await box.messages();
    expect(messages[0]?.text).toStartWith("000204");
    expect(messages.at(-1)?.text).toStartWith("000005");
  });

  test("rejects anything but a single address", async () => {
    expect(await mailbox().send(code("123456"), "a@x.example, b@x.example")).toMatchObject({
      kind: "dead",
      cause: "recipient",
    });
  });
});

describe("inboxRoutes()", () => {
  test("lists sent mails, shows them, and returns them as JSON", async () => {
    const box = mailbox();
    expect(await (await box.get("/mailbox")).text()).toContain("No mail yet.");
    await box.send(code("048213"));
    const [message] = await box.messages();
    expect(message).toEqual({
      id: expect.any(String),
      to: "alice@home.example",
      subject: "Your Breachbell code",
      text: expect.stringContaining("048213"),
      html: expect.stringContaining("048213"),
      date: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
    const list = await (await box.get("/mailbox")).text();
    expect(list).toContain(`href="/mailbox/${message?.id}"`);
    // A log-in code is shown on its line.
    expect(list).toContain(">048213</span>");
    const page = await (await box.get(`/mailbox/${message?.id}`)).text();
    expect(page.match(/048213/g)).toHaveLength(2);
  });

  test("comply with the policy on both pages, even with hostile mails", async () => {
    const box = mailbox();
    await box.send(hostile);
    const [message] = await box.messages();
    for (const path of ["/mailbox", `/mailbox/${message?.id}`]) {
      const response = await box.get(path);
      const html = await response.text();
      expectToObeyPolicy(response, html);
      expect(html).toContain("&lt;script&gt;");
      expect(response.headers.get("Cache-Control")).toBe("no-store");
    }
  });

  test("have no inline styles for the self-refreshing page, which has its own", async () => {
    const box = mailbox();
    await box.send(code("048213"));
    const html = await (await box.get("/mailbox", { "X-Unattended": "1" })).text();
    expect(html).not.toContain("<style");
    expect(html).toContain(">048213</span>");
  });

  test("are in the reader's language", async () => {
    const html = await (await mailbox().get("/mailbox", { "Accept-Language": "de-CH,de;q=0.9" })).text();
    expect(html).toContain('<html lang="de">');
    expect(html).toContain("Noch keine E-Mails.");
  });

  test("return 404 for other machines", async () => {
    const box = mailbox(false);
    await box.send(code("048213"));
    for (const path of [
      "/mailbox",
      "/mailbox/messages",
      `/mailbox/${readdirSync(box.directory)[0]?.replace(".json", "")}`,
    ]) {
      const response = await box.get(path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain("048213");
    }
  });

  test("serve nothing outside their folder", async () => {
    const box = mailbox();
    for (const id of ["unknown", "..%2f..%2fpackage", "%2e%2e", "x%00"])
      expect((await box.get(`/mailbox/${id}`)).status).toBe(404);
  });
});

test("previewOf() turns every style attribute into a rule and changes nothing else", () => {
  const { body, styles } = previewOf(
    `<html><head><style>.x{}</style></head><body class="p" style="a:b"><p style="color:red">1</p><p style="color:red">2 style=&quot;</p><i style="top:0">3</i></body></html>`,
  );
  expect(body).toBe(`<p data-style="s0">1</p><p data-style="s0">2 style=&quot;</p><i data-style="s1">3</i>`);
  expect(styles).toBe(`[data-style="s0"] { color:red }\n[data-style="s1"] { top:0 }`);
});
