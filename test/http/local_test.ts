import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compose } from "../../src/compose.ts";
import { isLocal } from "../../src/http/local.ts";
import { mailboxSender } from "../../src/notifications/adapters/channels/inbox/mailbox.ts";
import { openStandIns } from "../../src/notifications/adapters/channels/inbox/mailbox_stand_ins.ts";
import { codeContent } from "../../src/notifications/messages/message.ts";
import { translate } from "../notifications/post_office.ts";
import { adaptersOn, memoryGround, settings } from "../support/world.ts";

const HERE = { Host: "localhost:3000" };
const PUBLIC = "http://localhost:3000";
const is = (headers: Record<string, string>, socket: string | undefined = "127.0.0.1", publicUrl = PUBLIC) =>
  isLocal(new Headers(headers), socket, publicUrl);

describe("isLocal()", () => {
  test.each([
    ["localhost:3000", "127.0.0.1", PUBLIC],
    ["breachbell.localhost", "::1", "http://127.0.0.1:3000"],
    ["127.0.0.1:3000", "::ffff:127.0.0.1", "http://[::1]:3000"],
    ["[::1]:3000", "127.0.0.1", PUBLIC],
  ])("accepts Host %s over %s with %s", (host, socket, publicUrl) => {
    expect(is({ Host: host }, socket, publicUrl)).toBe(true);
  });

  test.each([
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "127.evil.example",
    "localhost, x",
    "",
  ])("rejects the Host %j, which a web page could have (DNS rebinding)", (host) => {
    expect(is({ Host: host })).toBe(false);
  });

  test("rejects a request without a Host", () => {
    expect(is({})).toBe(false);
  });

  test.each(["192.168.1.5", "::ffff:192.168.1.5", "", "unknown"])("rejects a socket of %j", (socket) => {
    expect(is(HERE, socket)).toBe(false);
  });
  test("rejects a socket without an address", () => {
    expect(isLocal(new Headers(HERE), undefined, PUBLIC)).toBe(false);
  });

  test.each(["https://breachbell.example", "http://192.168.1.5:3000", "http://localhost.evil.example"])(
    "rejects everything if the public URL is %s",
    (publicUrl) => {
      expect(is(HERE, "127.0.0.1", publicUrl)).toBe(false);
    },
  );

  test.each([
    ...["X-Forwarded-For", "X-Forwarded-Proto", "X-Forwarded-Host", "X-Forwarded", "Forwarded", "X-Real-IP", "Via"],
    ...["X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Original-Forwarded-For", "Fastly-Client-IP"],
  ])("rejects what is forwarded, by %s, with any value", (name) => {
    for (const value of ["127.0.0.1", "203.0.113.4:5000", "unknown", "1.1 proxy", ""])
      expect(is({ ...HERE, [name]: value })).toBe(false);
  });
});

describe("the development mailbox", () => {
  test.each([
    ["a browser here", HERE, "127.0.0.1", PUBLIC, 200],
    [
      "a peer behind an undeclared proxy on this machine",
      { ...HERE, "X-Forwarded-For": "203.0.113.4" },
      "127.0.0.1",
      PUBLIC,
      404,
    ],
    ["a last hop that is not an address", { ...HERE, "X-Forwarded-For": "203.0.113.4:5000" }, "127.0.0.1", PUBLIC, 404],
    ["another site by DNS rebinding", { Host: "evil.example" }, "127.0.0.1", PUBLIC, 404],
    ["another machine", HERE, "192.168.1.5", PUBLIC, 404],
    ["an installation with a public URL", HERE, "127.0.0.1", "https://breachbell.example", 404],
  ])("for %s", async (_, headers, ip, publicUrl, status) => {
    const directory = mkdtempSync(join(tmpdir(), "mailbox-"));
    const sender = mailboxSender({ directory, from: "alerts@breachbell.example" });
    const content = codeContent({ code: "048213", minutes: "10", language: "en", translate });
    await sender.send({
      deliveryId: "1",
      messageId: "<1@x>",
      to: { channel: "email", value: "alice@home.example" },
      content,
    });
    for (const trustProxy of [[], ["loopback"]]) {
      const standIns = openStandIns({ directory: join(directory, "channels"), now: () => new Date() });
      const adapters = { ...adaptersOn(memoryGround()), mailboxDirectory: directory, standIns };
      const { app } = compose(adapters, { ...settings(), publicUrl, trustProxy });
      for (const path of ["/mailbox", "/mailbox/messages"]) {
        const answer = await app.request(path, { headers }, { ip });
        expect(answer.status).toBe(status);
        expect((await answer.text()).includes("alice@home.example")).toBe(status === 200);
      }
      const tabs = ["/mailbox/telegram", "/mailbox/telegram/breachbell_bot?start=x", "/mailbox/pushover"];
      for (const path of [...tabs, "/mailbox/inbox.js"])
        expect((await app.request(path, { headers }, { ip })).status).toBe(status);
      const acts = {
        telegram: { act: "start", username: "alice_bell", payload: "x" },
        pushover: { act: "acknowledge", receipt: "x" },
      };
      for (const [tab, fields] of Object.entries(acts)) {
        const send = (origin: Record<string, string>) =>
          app.request(
            `/mailbox/${tab}`,
            { method: "POST", body: new URLSearchParams(fields), headers: { ...headers, ...origin } },
            { ip },
          );
        expect((await send({ "Sec-Fetch-Site": "same-origin" })).status).toBe(status === 200 ? 303 : 404);
        for (const site of ["cross-site", "same-site", "none"])
          expect((await send({ "Sec-Fetch-Site": site })).status).toBe(status === 200 ? 403 : 404);
        expect((await send({ Origin: "https://evil.example" })).status).toBe(status === 200 ? 403 : 404);
      }
      // Called once by each permitted client only.
      expect(standIns.telegram.look().people).toHaveLength(status === 200 ? 1 : 0);
      expect(standIns.telegram.look().updates).toHaveLength(status === 200 ? 1 : 0);
      await standIns.close();
      rmSync(join(directory, "channels"), { recursive: true, force: true });
    }
    rmSync(directory, { recursive: true });
  });
});
