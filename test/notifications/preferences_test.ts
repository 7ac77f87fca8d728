import { describe, expect, test } from "bun:test";
import type { SettingsInput } from "../../src/notifications/inputs.ts";
import type { BreachFacts } from "../../src/shared/breach.ts";
import { memorySender } from "../memory/notifications/store.ts";
import { adobe, DAY, email, HOUR, MINUTE, postOffice } from "./post_office.ts";

const OWN = "alice@breachbell.example";
const NOTHING: SettingsInput = {
  discreet: false,
  language: null,
  digestBelow: null,
  digestHour: null,
  quiet: null,
  zone: null,
  device: null,
  emergency: false,
};
const mild = (name: string): BreachFacts => ({
  ...adobe,
  name,
  title: name,
  domain: `${name.toLowerCase()}.example`,
  dataClasses: ["Email addresses", "Genders"],
  passwordStorage: null,
});
const grave: BreachFacts = { ...adobe, name: "Grave", title: "Grave", dataClasses: ["Mnemonic phrases"] };

/** Alice at eight in the morning (UTC), with one contact and these preferences. */
async function home(settings: Partial<SettingsInput>, contacts = [email(OWN)]) {
  const post = postOffice();
  post.watch("home", "alice@home.example", contacts);
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "en",
    contacts,
  });
  const listed = await post.listContacts("alice");
  // Those that need attention are listed first.
  const contact = listed.ok ? listed.value.items.find(({ channel }) => channel === "email") : undefined;
  const contactId = contact?.id ?? "";
  const choose = (more: Partial<SettingsInput>) =>
    post.saveContactSettings("alice", contactId, { ...NOTHING, ...more });
  expect(await choose(settings)).toMatchObject({ ok: true });
  const raise = (id: string, breach: BreachFacts | null) =>
    post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(id, "home", breach)] });
  const turn = async () => {
    await post.gatherDue();
    await post.deliverDue();
  };
  const fates = async (id: string) => {
    const rows = await post.listAlertDeliveries("alice", id);
    return rows.ok ? rows.value.items.map(({ state, reason, kind }) => ({ state, reason, kind })) : [];
  };
  return {
    ...post,
    contactId,
    choose,
    raise,
    turn,
    fates,
    subjects: () => post.sender.sent.map((m) => m.content.subject),
  };
}

describe("The daily digest", () => {
  test("combines less severe alerts into one message at its hour; the rest is sent immediately", async () => {
    const post = await home({ digestBelow: "high", digestHour: 18 });
    await post.raise("a1", mild("Alpha"));
    await post.raise("a2", grave);
    await post.raise("a3", mild("Beta"));
    await post.turn();
    expect(post.subjects()).toHaveLength(1);
    expect(post.subjects()[0]).toContain("Grave");
    expect(await post.fates("a1")).toEqual([{ state: "waiting", reason: "digest", kind: "alert" }]);
    post.advance(9 * HOUR + 59 * MINUTE);
    await post.turn();
    expect(post.sender.sent).toHaveLength(1);
    post.advance(MINUTE);
    await post.turn();
    expect(post.sender.sent).toHaveLength(2);
    const whole = JSON.stringify(post.sender.sent[1]?.content);
    for (const name of ["Alpha", "Beta", "alice@home.example"]) expect(whole).toContain(name);
    expect(post.subjects()[1]).toContain("2 new data breaches");
    expect(await post.fates("a1")).toEqual([{ state: "accepted", reason: null, kind: "digest" }]);
    post.advance(DAY);
    await post.turn();
    expect(post.sender.sent).toHaveLength(2);
  });

  test("with a single alert is that alert's own message", async () => {
    const post = await home({ digestBelow: "always" });
    await post.raise("a1", mild("Alpha"));
    await post.turn();
    post.advance(DAY);
    await post.turn();
    expect(post.subjects()).toHaveLength(1);
    expect(post.subjects()[0]).toContain("Alpha");
  });

  test("is sent once by many concurrent processes, and a crash in between loses and duplicates nothing", async () => {
    const post = await home({ digestBelow: "always" });
    const others = Array.from({ length: 4 }, () => post.anotherWorker());
    for (const name of ["Alpha", "Beta", "Gamma"]) await post.raise(name, mild(name));
    await post.turn();
    post.advance(DAY);
    await Promise.all([post, ...others].map((worker) => worker.gatherDue()));
    await Promise.all([post, ...others].map((worker) => worker.deliverDue()));
    expect(post.sender.sent).toHaveLength(1);
    expect(post.subjects()[0]).toContain("3 new data breaches");
  });

  test("contains only what is still shared with and routed to the contact when it is sent", async () => {
    const post = await home({ digestBelow: "always" });
    for (const name of ["Alpha", "Beta", "Gamma"]) await post.raise(name, mild(name));
    await post.turn();
    const facts = post.facts.get("Alpha");
    if (facts) post.facts.set("Alpha", { ...facts, breach: null });
    post.facts.delete("Beta");
    post.advance(DAY);
    await post.turn();
    const whole = JSON.stringify(post.sender.sent[0]?.content);
    expect(whole).not.toContain("Alpha");
    expect(whole).not.toContain("Beta");
    expect(whole).toContain("Gamma");
    expect(post.subjects()[0]).toContain("2 new data breaches");
  });

  test("that cannot be delivered is sent to the account's own address", async () => {
    const post = await home({ digestBelow: "always" }, [email("carol@elsewhere.example"), email(OWN)]);
    const list = await post.listContacts("alice");
    const carol = list.ok ? list.value.items.find(({ value }) => value.startsWith("carol")) : undefined;
    await post.deliverDue();
    expect(await post.confirm(post.linkToken("carol@elsewhere.example"))).toMatchObject({ ok: true });
    post.watch("home", "alice@home.example", [email("carol@elsewhere.example")]);
    await post.saveContactSettings("alice", carol?.id ?? "", { ...NOTHING, digestBelow: "always" });
    for (const name of ["Alpha", "Beta"]) await post.raise(name, mild(name));
    await post.turn();
    post.advance(DAY);
    const before = post.sender.sent.length;
    post.sender.answer({ kind: "dead", cause: "recipient", reason: "550 gone", forGood: true });
    await post.turn();
    await post.turn();
    const told = post.sender.sent.slice(before);
    expect(told.map(({ to }) => to.value)).toEqual([OWN]);
    expect(JSON.stringify(told[0]?.content)).toContain("Beta");
  });
});

describe("Quiet hours", () => {
  const night = { quiet: { from: "07:30", to: "09:30" } };

  test("hold alerts, then deliver them as one message; critical ones are sent immediately", async () => {
    const post = await home(night);
    for (const name of ["Alpha", "Beta"]) await post.raise(name, mild(name));
    await post.raise("a3", grave);
    await post.turn();
    expect(post.subjects()).toHaveLength(1);
    expect(post.subjects()[0]).toContain("Grave");
    post.advance(90 * MINUTE);
    await post.turn();
    expect(post.subjects()[1]).toContain("2 new data breaches");
    expect(post.sender.sent).toHaveLength(2);
  });

  test("that are switched off release what was held", async () => {
    const post = await home(night);
    await post.raise("a1", mild("Alpha"));
    await post.turn();
    expect(post.sender.sent).toEqual([]);
    await post.choose({});
    await post.turn();
    expect(post.subjects()).toHaveLength(1);
  });
});

describe("A discreet contact", () => {
  test("receives no service, address or category outside of mails, and no detail at all on a lock screen", async () => {
    const contacts = [email(OWN), { channel: "telegram" as const, value: "bob_m" }];
    const post = await home({ discreet: true }, contacts);
    const telegram = memorySender("telegram");
    post.deps.senders.telegram = telegram;
    const listed = await post.listContacts("alice");
    const chat = listed.ok ? listed.value.items.find(({ channel }) => channel === "telegram") : undefined;
    await post.deps.transaction(async ({ contacts: repository }) => {
      const stored = await repository.find(chat?.id ?? "");
      if (stored) await repository.replace({ ...stored, state: "active", chatId: "7", settings: { discreet: true } });
    });
    await post.raise("a1", adobe);
    await post.deliverDue();
    const [mail] = post.sender.sent;
    expect(`${mail?.content.subject} ${mail?.content.preview}`).not.toMatch(/adobe|alice|password/i);
    expect(JSON.stringify(mail?.content)).toContain("Adobe");
    const [message] = telegram.sent;
    expect(JSON.stringify(message?.content)).not.toMatch(/adobe|alice@|password/i);
    expect(JSON.stringify(message?.content)).toContain("/alerts?alert=a1");
    expect(message?.facts).toBeUndefined();
  });
});

describe("A contact's language", () => {
  test("overrides that of the address", async () => {
    const post = await home({ language: "fr" });
    await post.raise("a1", adobe);
    await post.deliverDue();
    expect(post.sender.sent[0]?.content.language).toBe("fr");
    await post.choose({ language: null });
    await post.raise("a2", adobe);
    await post.deliverDue();
    expect(post.sender.sent[1]?.content.language).toBe("en");
  });
});

test("another account's contact cannot be changed", async () => {
  const post = await home({});
  expect(await post.saveContactSettings("mallory", post.contactId, NOTHING)).toEqual({ ok: false, code: "NOT_FOUND" });
});
