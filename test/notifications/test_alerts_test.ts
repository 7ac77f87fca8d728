import { expect, test } from "bun:test";
import { email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const OWN = "alice@breachbell.example";
const CAROL = "carol@elsewhere.example";

async function home() {
  const post = postOffice();
  const contacts = [email(OWN), email(CAROL)];
  post.watch("home", "alice@home.example", contacts);
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "de",
    contacts,
  });
  await post.deliverDue();
  const listed = await post.listContacts("alice");
  const idOf = (value: string) =>
    (listed.ok ? listed.value.items : []).find((contact) => contact.value === value)?.id ?? "";
  const fates = async (sent: Awaited<ReturnType<typeof post.sendTests>>) => {
    if (!sent.ok) throw new Error(sent.code);
    const shown = await post.showTests(
      "alice",
      sent.value.items.map(({ id }) => id),
    );
    return shown.ok ? shown.value.items : [];
  };
  return { ...post, idOf, fates };
}

test("a test alert is sent like a real one and shows its actual outcome", async () => {
  const post = await home();
  const sent = await post.sendTests("alice", [post.idOf(OWN)]);
  expect(await post.fates(sent)).toMatchObject([{ state: "queued", value: OWN, contactId: post.idOf(OWN) }]);
  await post.deliverDue();
  expect(await post.fates(sent)).toMatchObject([{ state: "accepted" }]);
  expect(post.sender.sent.at(-1)?.content.subject).toBe("Test: Ihre Warnungen kommen hier an");
  post.sender.answer({ kind: "dead", cause: "recipient", reason: "550 no such user", forGood: true });
  const refused = await post.sendTests("alice", [post.idOf(OWN)]);
  await post.deliverDue();
  expect(await post.fates(refused)).toMatchObject([
    { state: "refused", reason: "refused", detail: "550 no such user" },
  ]);
});

test("an unconfirmed contact gets none, and the response says what is missing", async () => {
  const post = await home();
  const before = post.sender.sent.length;
  const sent = await post.sendTests("alice", [post.idOf(CAROL)]);
  await post.deliverDue();
  expect(await post.fates(sent)).toMatchObject([{ state: "waiting", reason: "unconfirmed" }]);
  expect(post.sender.sent).toHaveLength(before);
  // It is not sent later either, as nobody is looking any more.
  post.advance(15 * MINUTE);
  await post.deliverDue();
  expect(await post.fates(sent)).toMatchObject([{ state: "skipped", reason: "expired" }]);
});

test("quiet hours and digests do not delay a test alert", async () => {
  const post = await home();
  await post.saveContactSettings("alice", post.idOf(OWN), {
    discreet: false,
    language: null,
    digestBelow: "always",
    digestHour: 20,
    device: null,
    emergency: false,
    quiet: { from: "00:00", to: "23:59" },
    zone: null,
  });
  const sent = await post.sendTests("alice", [post.idOf(OWN)]);
  await post.deliverDue();
  expect(await post.fates(sent)).toMatchObject([{ state: "accepted" }]);
});

test("other accounts' contacts cannot be tested, nor their tests viewed", async () => {
  const post = await home();
  post.accounts.set("mallory", { email: "m@evil.example", language: "en", firstName: "M", verified: true });
  expect(await post.sendTests("mallory", [post.idOf(OWN)])).toEqual({ ok: false, code: "NOT_FOUND" });
  expect(await post.sendTests("alice", [post.idOf(OWN), crypto.randomUUID()])).toEqual({
    ok: false,
    code: "NOT_FOUND",
  });
  const sent = await post.sendTests("alice", [post.idOf(OWN)]);
  const ids = sent.ok ? sent.value.items.map(({ id }) => id) : [];
  expect(await post.showTests("mallory", ids)).toEqual({ ok: true, value: { items: [] } });
});

test("allows forty an hour, even if they are concurrent", async () => {
  const post = await home();
  const results = await Promise.all(Array.from({ length: 50 }, () => post.sendTests("alice", [post.idOf(OWN)])));
  expect(results.filter(({ ok }) => ok)).toHaveLength(40);
  expect(results.find(({ ok }) => !ok)).toMatchObject({ code: "RATE_LIMITED", retryAfter: 3600 });
  post.advance(HOUR + 1);
  expect(await post.sendTests("alice", [post.idOf(OWN)])).toMatchObject({ ok: true });
});
