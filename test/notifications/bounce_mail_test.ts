import { describe, expect, spyOn, test } from "bun:test";
import PostalMime from "postal-mime";
import { READ_MAX, readBounce } from "../../src/notifications/adapters/channels/email/bounce_mail.ts";
import { bounceRoutes } from "../../src/notifications/adapters/http/bounces.ts";
import { bounceToken } from "../../src/notifications/contacts/bounces.ts";
import { international, NO_BOUNCES } from "../support/bounce_edges.ts";
import { BOUNCE_MAILS } from "../support/bounce_mails.ts";
import { email, keys, postOffice } from "./post_office.ts";

const TOKEN = bounceToken(keys.mac, "0195f2b0-0000-7000-8000-000000000001");
const TO = `bounce+${TOKEN}@bounces.breachbell.example`;
const SECRET = "the-secret-of-the-mail-server";
const bytes = (raw: string) => new TextEncoder().encode(raw);

describe("bounceToken()", () => {
  test("fits the local part of an address, in case-insensitive characters", () => {
    expect(TO.split("@")[0]?.length).toBeLessThanOrEqual(64);
    expect(TOKEN).toMatch(/^[0-9a-f.]+$/);
  });
});

describe("readBounce()", () => {
  test.each(Object.entries(BOUNCE_MAILS))("parses the format of %s", async (_, { raw, status, diagnostic }) => {
    expect(await readBounce(bytes(raw(TO)))).toEqual({ token: TOKEN, status, diagnostic });
    // Some servers forward mails with bare line feeds.
    const bare = raw(TO).replaceAll("\r\n", "\n");
    expect(await readBounce(bytes(bare))).toEqual({ token: TOKEN, status, diagnostic });
  });

  test("parses a UTF-8 report", async () => {
    expect(await readBounce(bytes(international(TO)))).toEqual({ token: TOKEN, status: "5.1.1", diagnostic: "" });
  });

  test("finds the mail although the server has changed the case of its address", async () => {
    const bounce = await readBounce(bytes(BOUNCE_MAILS.Postfix.raw(TO.toUpperCase())));
    expect(bounce?.token.toLowerCase()).toBe(TOKEN);
  });

  test.each(Object.entries(NO_BOUNCES))("does not treat %s as a bounce", async (_, raw) => {
    expect(await readBounce(bytes(raw(TO)))).toBeUndefined();
  });

  test("parses only the beginning of a mail, which contains the report, and nothing that lacks our token", async () => {
    const parsed: number[] = [];
    const parse = spyOn(PostalMime, "parse").mockImplementation(async (mail, options) => {
      parsed.push((mail as Uint8Array).length);
      return new PostalMime(options).parse(mail);
    });
    try {
      const { raw, status, diagnostic } = BOUNCE_MAILS.Postfix;
      const long = raw(TO).replace("Action: none of a server's", "x".repeat(1_000_000));
      expect(long.length).toBeGreaterThan(1_000_000);
      expect(await readBounce(bytes(long))).toEqual({ token: TOKEN, status, diagnostic });
      expect(await readBounce(bytes(raw("nobody@else.example") + "x".repeat(1_000_000)))).toBeUndefined();
      expect(parsed).toEqual([READ_MAX]);
    } finally {
      parse.mockRestore();
    }
  });

  test("ignores a report nested inside a report, which belongs to somebody else", async () => {
    const inner = BOUNCE_MAILS.Postfix.raw(TO).split("\r\n");
    const outer = ["To: nobody@breachbell.example", "MIME-Version: 1.0", "Content-Type: message/rfc822", "", ...inner];
    expect(await readBounce(bytes(outer.join("\r\n")))).toBeUndefined();
  });
});

async function inbound() {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email("carol@else.example")]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  await post.deliverDue();
  await post.confirm(post.linkToken("carol@else.example"));
  await post.deliverDue();
  const { id } = await post.deliveryOf("alert:a1");
  const routes = bounceRoutes(post, SECRET);
  const bring = async (body: string, headers: Record<string, string> = { Authorization: `Bearer ${SECRET}` }) => {
    const answer = await routes.request("/api/inbound/bounce", { method: "POST", headers, body });
    return { status: answer.status, body: await answer.json() };
  };
  return { post, bring, to: `bounce+${bounceToken(keys.mac, id)}@bounces.breachbell.example` };
}

describe("POST /api/inbound/bounce", () => {
  test.each(Object.entries(BOUNCE_MAILS))(
    "disables the contact for a report in the format of %s",
    async (_, { raw }) => {
      const { post, bring, to } = await inbound();
      expect(await bring(raw(to))).toEqual({ status: 200, body: { taken: true } });
      expect(await post.statesOf("alice")).toMatchObject([{ value: "carol@else.example", state: "broken" }]);
      // Repeated, as servers do.
      expect(await bring(raw(to))).toEqual({ status: 200, body: { taken: false } });
    },
  );

  test.each([
    ["without a secret", {}],
    ["with another one", { Authorization: "Bearer something-else" }],
    ["with an empty one", { Authorization: "Bearer " }],
    ["with the secret as a password", { Authorization: `Basic ${btoa(`x:${SECRET}`)}` }],
  ])("rejects reports %s", async (_, headers) => {
    const { post, bring, to } = await inbound();
    expect(await bring(BOUNCE_MAILS.Exim.raw(to), headers)).toMatchObject({ status: 401 });
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test.each(Object.entries(NO_BOUNCES))("accepts %s from the server and does nothing", async (_, raw) => {
    const { post, bring, to } = await inbound();
    expect(await bring(raw(to))).toEqual({ status: 200, body: { taken: false } });
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });

  test("rejects an oversized mail before reading it", async () => {
    const { bring, to } = await inbound();
    const large = BOUNCE_MAILS.Exim.raw(to) + "x".repeat(1024 * 1024);
    expect(await bring(large)).toMatchObject({ status: 413 });
  });
});
