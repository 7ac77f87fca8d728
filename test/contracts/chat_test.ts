import { afterEach, describe, expect, test } from "bun:test";
import type { Content } from "../../src/notifications/messages/content.ts";
import { content, messageTo } from "../notifications/sample_mail.ts";
import { PROVIDER_OPENERS } from "../support/channel_providers.ts";
import { CHAT_PEERS, type ChatPeerName } from "../support/chats/peers.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

const now = () => new Date("2026-03-02T08:00:00.000Z");
const URL_OF_ALERT = "https://breachbell.example/de/alerts?alert=0195f2b0-0000-7000-8000-000000000001";
const button = { kind: "button" as const, label: "Alert * öffnen", url: URL_OF_ALERT };

async function open(name: ChatPeerName) {
  const { sender, recipient, requests } = await PROVIDER_OPENERS[name]({ now, cleanUps });
  const send = (changes: Partial<Content>) =>
    sender.send(messageTo(recipient.value, { to: recipient, content: { ...content, ...changes } }));
  return { sender, recipient, requests, send };
}

/** The longest text that a message can have, in letters that every format has to escape. */
const LONG = "*_`<&>[\u00ad😀\\".repeat(2000);

describe.each(Object.keys(CHAT_PEERS) as ChatPeerName[])("A chat on %s", (name) => {
  test("takes messages of any length, with their link", async () => {
    const { send, requests } = await open(name);
    const long = await send({
      subject: LONG,
      heading: LONG,
      blocks: [{ kind: "paragraph", text: LONG }, { kind: "tags", label: LONG, tags: [LONG, LONG] }, button],
      attribution: { text: LONG, links: [] },
    });
    expect(long).toMatchObject({ kind: "delivered" });
    expect(requests.at(-1)?.body).toContain(URL_OF_ALERT);
  });

  test("has no link to stop the messages, which others could follow", async () => {
    const { send, requests } = await open(name);
    await send({ blocks: [button] });
    expect(requests.at(-1)?.body).not.toContain("manage-contact");
  });

  test("reads again what it has stored, and looks up nothing but its host", async () => {
    const { sender, recipient, requests } = await open(name);
    const entered = JSON.parse(recipient.secret ?? "{}");
    const place = await sender.look?.(entered);
    expect(place).toMatchObject({ entered, host: "hooks.example" });
    expect(requests).toEqual([]);
  });

  test("is called by a name that says little of its secret", async () => {
    const { sender, recipient } = await open(name);
    const entered = JSON.parse(recipient.secret ?? "{}");
    const place = await sender.look?.(entered);
    const label = place && "label" in place ? place.label : "";
    expect(label).toContain("hooks.example");
    for (const secret of [entered.url, entered.token].filter(Boolean)) expect(label).not.toContain(secret);
    expect(label.length).toBeLessThan(64);
  });
});
