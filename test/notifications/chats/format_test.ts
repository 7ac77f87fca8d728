import { describe, expect, test } from "bun:test";
import { apprise } from "../../../src/notifications/adapters/channels/apprise/apprise.ts";
import type { ChatKind, Place } from "../../../src/notifications/adapters/channels/chat_sender.ts";
import { discord } from "../../../src/notifications/adapters/channels/discord/discord.ts";
import { gotify } from "../../../src/notifications/adapters/channels/gotify/gotify.ts";
import { matrix } from "../../../src/notifications/adapters/channels/matrix/matrix.ts";
import { teams } from "../../../src/notifications/adapters/channels/teams/teams.ts";
import type { Entered, Urgency } from "../../../src/notifications/ports.ts";
import { content, messageTo } from "../sample_mail.ts";

const NASTY = '<b>&"@everyone" [x](https://evil.example) *bold* <at>Ada</at>';
const ALERT = "https://breachbell.example/en/alerts?alert=1&from=chat";
const button = { kind: "button" as const, label: "Open <the> alert", url: ALERT };

function requestOf<Known extends Place>(kind: ChatKind<Known>, entered: Entered, urgency: Urgency = "normal") {
  const place = kind.placeOf(entered);
  if (typeof place === "string") return expect.unreachable(`The field ${place} is wrong`);
  const message = messageTo("x", {
    deliveryId: "0195f2b0-0000-7000-8000-00000000000d",
    content: { ...content, subject: NASTY, blocks: [{ kind: "paragraph", text: NASTY }, button] },
    urgency,
  });
  return kind.requestOf(message, place);
}

const DISCORD = "https://discord.com/api/webhooks/1190612345678901234/h7Xk2mQ9vB4nT6yR8wZ1cD3";
const TEAMS =
  "https://prod-12.westeurope.logic.azure.com/workflows/4f1e0c8e/triggers/manual/paths/invoke?api-version=2016-06-01&sig=q7Rk2mX9";
const MATRIX = { url: "https://matrix.example.org/base/", room: "!qporf:example.org", token: "syt_token" };
const GOTIFY = { url: "https://push.example.org/gotify/", token: "AwKx3mQ9vB4nT6y" };
const APPRISE = { url: "https://apprise.example.org/notify/h7Xk2mQ9", tag: "family" };

describe("discord", () => {
  test("escapes every format, and allows no mention", () => {
    expect(requestOf(discord, { url: DISCORD }).body).toMatchObject({
      content: String.raw`**\<b\>&"@everyone" \[x\](https://evil.example) \*bold\* \<at\>Ada\</at\>**`,
      allowed_mentions: { parse: [] },
    });
  });

  test("asks whether the message was stored, and keeps the thread alone of a typed query", () => {
    const place = discord.placeOf({ url: `${DISCORD}?thread_id=42&wait=false&x=1` });
    expect(place).toMatchObject({ url: { search: "?wait=true&thread_id=42" } });
  });
});

describe("teams", () => {
  test("sends runs of text, which have no markup and no mention, and the link as a button", () => {
    const { body } = requestOf(teams, { url: TEAMS }) as { body: { attachments: [{ content: object }] } };
    expect(body.attachments[0].content).toMatchObject({
      type: "AdaptiveCard",
      body: [
        { type: "RichTextBlock", inlines: [{ type: "TextRun", text: NASTY, weight: "Bolder" }] },
        { type: "RichTextBlock", inlines: [{ type: "TextRun", text: NASTY }] },
      ],
      actions: [{ type: "Action.OpenUrl", title: "Open <the> alert", url: ALERT }],
    });
  });

  test("connects workflows on any of Microsoft's hosts, and nothing without a signature", () => {
    const long = "default4f1e0c8e6a2b4d7f9c3a5e7b1d9f2c4a.12.environment.api.powerplatform.com";
    const url = `https://${long}:443/powerautomate/automations/direct/workflows/4f1e/triggers/manual/paths/invoke?sig=q7Rk2mX9`;
    expect(teams.placeOf({ url })).toMatchObject({
      label: "…e7b1d9f2c4a.12.environment.api.powerplatform.com …2mX9",
    });
    expect(teams.placeOf({ url: url.split("?")[0] })).toBe("url");
    expect(teams.placeOf({ url: "https://example.webhook.office.com/webhookb2/1/IncomingWebhook/2/3" })).toBe("url");
  });
});

describe("matrix", () => {
  test("escapes HTML, mentions nobody, and puts the message's id at the end of the address", () => {
    const { method, url, headers, body } = requestOf(matrix, MATRIX);
    expect([method, url?.href]).toEqual([
      "PUT",
      "https://matrix.example.org/base/_matrix/client/v3/rooms/!qporf%3Aexample.org/send/m.room.message/0195f2b0-0000-7000-8000-00000000000d",
    ]);
    expect(headers).toEqual({ authorization: "Bearer syt_token" });
    const { formatted_body: html, ...rest } = body as { formatted_body: string };
    expect(rest).toMatchObject({ msgtype: "m.text", "m.mentions": {} });
    expect(html).toStartWith("<p><strong>&lt;b&gt;&amp;&quot;@everyone&quot; [x]");
    expect(html).toContain(`<a href="${ALERT.replace("&", "&amp;")}">Open &lt;the&gt; alert</a>`);
  });

  test.each([
    ["url", { url: "http://matrix.example.org" }],
    ["room", { room: "#breaches:example.org" }],
    ["room", { room: "!a/b:example.org" }],
    ["token", { token: "two words" }],
    ["token", { token: "line\nbreak" }],
  ] as const)("names the field %s if it is wrong: %j", (field, wrong) => {
    expect(matrix.placeOf({ ...MATRIX, ...wrong })).toBe(field);
  });
});

describe("gotify", () => {
  test("sends plain text with its link, and the token in a header", () => {
    const { url, headers, body } = requestOf(gotify, GOTIFY);
    expect([url?.href, headers]).toEqual(["https://push.example.org/gotify/message", { "x-gotify-key": GOTIFY.token }]);
    expect(body).toEqual({
      title: NASTY,
      message: `${NASTY}\n\n${ALERT}`,
      priority: 5,
      extras: {
        "client::display": { contentType: "text/plain" },
        "client::notification": { click: { url: ALERT } },
      },
    });
  });

  test.each([
    ["low", 2],
    ["high", 7],
    ["critical", 9],
  ] as const)("sends %s as priority %d", (urgency, priority) => {
    expect(requestOf(gotify, GOTIFY, urgency).body).toMatchObject({ priority });
  });

  test.each([
    ["url", { url: "https://push.example.org/?token=x" }],
    ["token", { token: "with space" }],
    ["token", { token: "" }],
  ] as const)("names the field %s if it is wrong: %j", (field, wrong) => {
    expect(gotify.placeOf({ ...GOTIFY, ...wrong })).toBe(field);
  });
});

describe("apprise", () => {
  test("sends plain text with its link, and the tag if there is one", () => {
    const body = { title: NASTY, body: `${NASTY}\n\nOpen <the> alert: ${ALERT}`, type: "info", format: "text" };
    expect(requestOf(apprise, APPRISE).body).toEqual({ ...body, tag: "family" });
    expect(requestOf(apprise, { url: APPRISE.url }, "critical").body).toEqual({ ...body, type: "failure" });
  });

  test.each(["https://apprise.example.org/notify/", "https://apprise.example.org/cfg/key", `${APPRISE.url}?tag=x`])(
    "does not connect %s",
    (url) => {
      expect(apprise.placeOf({ url })).toBe("url");
    },
  );
});
