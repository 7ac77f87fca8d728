import { expect, test } from "bun:test";
import { CHANNELS, type Channel, MAX_CONTACTS } from "../src/shared/contacts.ts";
import { memorySender } from "./memory/notifications/store.ts";
import { aBreach } from "./support/builders.ts";
import { HOUR } from "./support/clock.ts";
import { adaptersOn, composed, memoryGround, settle, signedUp } from "./support/world.ts";

const ALICE = "alice@example.com";
const NEW = aBreach({ name: "New", addedDate: "2026-11-20T11:00:00Z" });
type Contacts = Partial<Record<Channel, unknown>>;

/** The whole product with a provider for each channel, and Alice logged in. */
async function open() {
  const ground = memoryGround();
  const adapters = adaptersOn(ground);
  const senders = Object.fromEntries(CHANNELS.map((channel) => [channel, memorySender(channel)]));
  Object.assign(adapters.gateways.senders, senders);
  const world = composed(adapters);
  const call = await signedUp(world, ALICE);
  const track = (contacts: Contacts, address = ALICE) =>
    call("POST", "/api/associations", { address, owner: true, language: "en", contacts });
  const listed = async () =>
    (
      (await (await call("GET", "/api/contacts")).json()) as {
        items: { channel: string; value: string; state: string }[];
      }
    ).items;
  const sentBy = (channel: Channel) => senders[channel]?.sent.filter(({ kind }) => kind !== "login_code") ?? [];
  async function breach(): Promise<void> {
    ground.feed.publish(aBreach({ name: "Old", addedDate: "2020-01-01T00:00:00Z" }));
    await world.breaches.pollCatalogue();
    await settle(world);
    ground.feed.publish(NEW);
    ground.feed.expose(ALICE, "New");
    ground.clock.pass(HOUR);
    await world.breaches.pollCatalogue();
    await settle(world);
  }
  const add = (channel: Channel, value: unknown, everywhere = true) =>
    call("POST", "/api/contacts", { channel, value, language: "en", everywhere });
  return { world, ground, call, track, add, listed, sentBy, breach };
}

const KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";
const MALFORMED: [Channel, unknown[]][] = [
  [
    "email",
    [
      "alice@",
      "a@b",
      "a@b.example, c@d.example",
      "Alice <a@b.example>",
      "a@b.example\r\nBcc: c@d.example",
      "x".repeat(255),
    ],
  ],
  ["telegram", ["@bob", "bob miller", "bob-miller", "b".repeat(33), "@", "https://evil.example/bob"]],
  ["pushover", [KEY.slice(1), `${KEY}x`, `${KEY.slice(2)}!!`, `${KEY},${KEY}`]],
  [
    "ntfy",
    ["a topic", "x".repeat(65), "http://ntfy.example/topic", "https://user:pass@ntfy.example/topic", "../topic"],
  ],
  [
    "webhook",
    [
      "hooks.example",
      "http://hooks.example/in",
      "https://user:pass@hooks.example/in",
      "https://hooks.example/in#x",
      "javascript:alert(1)",
    ],
  ],
];
/** Valid for one channel, but typed into another one's field. */
const ELSEWHERE: [Channel, string][] = [
  ["email", KEY],
  ["email", "@bob_miller"],
  ["telegram", ALICE],
  ["pushover", ALICE],
  ["pushover", "bob_miller"],
  ["ntfy", ALICE],
  ["webhook", ALICE],
  ["webhook", KEY],
];

test.each(MALFORMED)(
  "a malformed contact of %s is rejected, and nothing of the form is stored",
  async (channel, values) => {
    const { track, listed, sentBy } = await open();
    for (const value of [...values, "", " ", 7, null, ["x"], { value: "x" }, "\u0000\u0000\u0000\u0000\u0000"]) {
      const answer = await track({ email: [ALICE], [channel]: channel === "email" ? [ALICE, value] : [value] });
      expect({ value, status: answer.status }).toEqual({ value, status: 422 });
    }
    expect(await listed()).toEqual([]);
    expect(sentBy(channel)).toEqual([]);
  },
);

test.each(ELSEWHERE)("a contact of the wrong kind is rejected: %s does not accept %p", async (channel, value) => {
  const { track, listed } = await open();
  const answer = await track({ [channel]: [value] });
  expect(answer.status).toBe(422);
  expect(JSON.stringify(await answer.json())).toContain("CONTACT_INVALID");
  expect(await listed()).toEqual([]);
});

const CODES: Partial<Record<Channel, string>> = {
  email: "EMAIL_INVALID",
  telegram: "TELEGRAM_NAME_INVALID",
  pushover: "PUSHOVER_KEY_INVALID",
  ntfy: "NTFY_TOPIC_INVALID",
  webhook: "WEBHOOK_INVALID",
};

test.each(MALFORMED)("an empty contact of %s is required", async (channel) => {
  const { add } = await open();
  for (const value of ["", "  "])
    expect(await (await add(channel, value)).json()).toMatchObject({ fields: { value: "FIELD_REQUIRED" } });
});

test.each([...MALFORMED.map(([channel, [value]]) => [channel, value] as const), ...ELSEWHERE])(
  "it cannot be added separately either: %s does not accept %p",
  async (channel, value) => {
    const { add, listed } = await open();
    const answer = await add(channel, value);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ fields: { value: CODES[channel] } });
    expect(await listed()).toEqual([]);
  },
);

test("a contact that is added for everything gets alerts for all tracked addresses, and is preselected for new ones", async () => {
  const { world, call, track, add, listed, sentBy, breach } = await open();
  expect((await track({ email: [ALICE] })).status).toBe(201);
  await settle(world);
  const added = await add("pushover", KEY);
  expect(added.status).toBe(201);
  expect(await added.json()).toMatchObject({ channel: "pushover", value: KEY, usedBy: [{ address: ALICE }] });
  await settle(world);
  const [, token] = /manage-contact#t=([\w.-]+)/.exec(JSON.stringify(sentBy("pushover"))) ?? [];
  expect((await call("POST", "/api/contact-links/confirm", { token })).status).toBe(200);
  await breach();
  expect(sentBy("pushover").map(({ kind }) => kind)).toEqual(["confirmation", "alert"]);
  expect(await (await call("GET", "/api/profile")).json()).toMatchObject({
    defaultContacts: { email: [ALICE], pushover: [KEY] },
  });
  expect((await listed()).map(({ value }) => value)).toEqual([ALICE, KEY]);
});

test("two spellings of a contact are one contact, which is sent one message", async () => {
  const { track, listed, sentBy, breach } = await open();
  const email = [ALICE, "ALICE@EXAMPLE.COM", " alice@Example.com ", "Alice@example.com"];
  const telegram = ["@Bob_Miller", "bob_miller", "BOB_MILLER"];
  expect((await track({ email, telegram })).status).toBe(201);
  await breach();
  expect((await listed()).map(({ channel, value }) => `${channel} ${value}`)).toEqual([
    "telegram bob_miller",
    `email ${ALICE}`,
  ]);
  expect(sentBy("email").filter(({ kind }) => kind === "alert")).toHaveLength(1);
});

test("somebody else's address gets one request and nothing about any breach before it has consented", async () => {
  const { world, track, sentBy, breach } = await open();
  const others = { email: [ALICE, "carol@else.example"], ntfy: ["carols-topic"], pushover: [KEY] };
  expect((await track(others)).status).toBe(201);
  await breach();
  await settle(world);
  const toCarol = sentBy("email").filter(({ to }) => to.value === "carol@else.example");
  for (const messages of [toCarol, sentBy("ntfy"), sentBy("pushover")]) {
    expect(messages.map(({ kind }) => kind)).toEqual(["confirmation"]);
    expect(JSON.stringify(messages)).not.toContain(ALICE);
  }
  expect(sentBy("email").filter(({ to, kind }) => to.value === ALICE && kind === "alert")).toHaveLength(1);
});

test("a hundred contacts together are rejected; the maximum number are each asked once, even by ten concurrent forms", async () => {
  const { world, track, listed, sentBy } = await open();
  const many = (count: number, of: (index: number) => string) => Array.from({ length: count }, (_, index) => of(index));
  const mails = (count: number) => many(count, (index) => `contact${index}@else.example`);
  const refused = await track({ email: mails(100) });
  expect(refused.status).toBe(422);
  expect(JSON.stringify(await refused.json())).toContain("TOO_MANY_CONTACTS");
  expect(await listed()).toEqual([]);

  const full = {
    email: mails(MAX_CONTACTS),
    pushover: many(MAX_CONTACTS, (index) => `${index}`.padStart(30, "k")),
    ntfy: many(MAX_CONTACTS, (index) => `topic-${index}`),
    telegram: many(MAX_CONTACTS, (index) => `somebody_${index}`),
    webhook: many(MAX_CONTACTS, (index) => `https://hooks.example/${index}`),
  };
  const answers = await Promise.all(many(10, () => "").map(() => track(full)));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  await settle(world);
  expect(await listed()).toHaveLength(5 * MAX_CONTACTS);
  for (const channel of ["email", "pushover", "ntfy"] as const) {
    const asked = sentBy(channel).filter(({ kind }) => kind === "confirmation");
    expect(asked.map(({ to }) => to.value).toSorted()).toEqual(full[channel].toSorted());
  }
  // A bot cannot write first, and a webhook's owner does not have the secret yet.
  expect([...sentBy("telegram"), ...sentBy("webhook")]).toEqual([]);
});
