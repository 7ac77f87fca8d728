import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  canonical,
  masked,
  newContact,
  reached,
  refused,
  refusesForGood,
} from "../../src/notifications/contacts/contact.ts";
import { unsubscribeToken } from "../../src/notifications/contacts/contact_links.ts";
import { DAY, email, keys, postOffice } from "./post_office.ts";

const ALICE = "alice@breachbell.example";
const CAROL = "carol@else.example";
const changed = (contacts: ReturnType<typeof email>[], accountId = "alice") =>
  ({ type: "tracking.contactsChanged", associationId: "home", accountId, language: "en", contacts }) as const;

describe("onContactsChanged()", () => {
  test("confirms the account's own verified address immediately, without a mail", async () => {
    const post = postOffice();
    await post.onContactsChanged(changed([email(ALICE)]));
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.statesOf("alice")).toEqual([{ channel: "email", value: ALICE, state: "active" }]);
  });

  test("contactStates() returns the states of the requested contacts, as far as the account has them", async () => {
    const post = postOffice();
    await post.onContactsChanged(changed([email(ALICE), email(CAROL)]));
    expect(await post.contactStates("alice", [email(ALICE), email("nobody@else.example")])).toEqual([
      { channel: "email", value: ALICE, state: "active" },
    ]);
    expect(await post.contactStates("bob", [email(ALICE)])).toEqual([]);
    expect(await post.contactStates("alice", [])).toEqual([]);
  });

  test("asks every other contact exactly once for confirmation, naming the account's owner", async () => {
    const post = postOffice();
    for (let time = 0; time < 3; time++) {
      await post.onContactsChanged(changed([email(CAROL), email("Carol@ELSE.example")]));
      await post.deliverDue();
      post.advance(5 * DAY);
    }
    expect(post.sentTo()).toEqual([CAROL]);
    expect(JSON.stringify(post.sender.sent[0]?.content)).toContain("Alice has asked Breachbell");
    expect(await post.statesOf("alice")).toEqual([{ channel: "email", value: CAROL, state: "unconfirmed" }]);
  });

  test("asks one address at most three times a week, across all accounts and even after they were deleted", async () => {
    const post = postOffice();
    for (const name of ["dave", "erin", "frank", "grace", "heidi"]) {
      post.accounts.set(name, { email: `${name}@x.example`, language: "en", firstName: name, verified: true });
      await post.onContactsChanged(changed([email(CAROL)], name));
      await post.deliverDue();
      await post.onDeleted({ type: "identity.deleted", accountId: name });
    }
    expect(post.sentTo()).toEqual([CAROL, CAROL, CAROL]);
    post.advance(8 * DAY);
    await post.onContactsChanged(changed([email(CAROL)]));
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(4);
  });

  test("asks one mailbox three times a week, however many of its spellings one account uses", async () => {
    const post = postOffice();
    const aliases = Array.from({ length: 180 }, (_, at) => email(CAROL.replace("@", `+${at}@`)));
    for (const asked of [3, 6]) {
      await post.onContactsChanged(changed(aliases));
      await post.deliverDue();
      expect(post.sentTo()).toHaveLength(asked);
      post.advance(8 * DAY);
    }
  });

  test("lets one account ask twenty mailboxes a day", async () => {
    const post = postOffice();
    const strangers = Array.from({ length: 30 }, (_, index) => email(`someone${index}@x.example`));
    for (const asked of [20, 30]) {
      await post.onContactsChanged(changed(strangers));
      await post.deliverDue();
      expect(post.sentTo()).toHaveLength(asked);
      post.advance(DAY);
    }
  });

  test("lets the accounts of one network ask a hundred mailboxes a day", async () => {
    const post = postOffice();
    for (const name of ["dave", "erin", "frank", "grace", "heidi", "ivan"]) {
      const account = { email: `${name}@x.example`, language: "en", firstName: name, verified: true } as const;
      post.accounts.set(name, { ...account, network: "one" });
      const strangers = Array.from({ length: 20 }, (_, index) => email(`${name}${index}@y.example`));
      await post.onContactsChanged(changed(strangers, name));
    }
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(100);
  });

  test("stores no usable token", async () => {
    const post = postOffice();
    await post.onContactsChanged(changed([email(CAROL)]));
    await post.deliverDue();
    expect(post.linkToken(CAROL)).not.toBe("");
    const contacts = await post.deps.transaction((store) => store.contacts.list("alice"));
    expect(JSON.stringify([contacts, await post.ledger()])).not.toContain(post.linkToken(CAROL));
  });

  test("confirms contacts once the account's own address is verified", async () => {
    const post = postOffice();
    post.accounts.set("alice", { email: ALICE, language: "en", firstName: "Alice", verified: false });
    await post.onContactsChanged(changed([email(ALICE)]));
    expect(await post.statesOf("alice")).toMatchObject([{ state: "unconfirmed" }]);
    post.accounts.set("alice", { email: ALICE, language: "en", firstName: "Alice", verified: true });
    await post.onContactsChanged(changed([email(ALICE)]));
    expect(await post.statesOf("alice")).toMatchObject([{ state: "active" }]);
  });
});

describe("confirm()", () => {
  async function asked() {
    const post = postOffice();
    await post.onContactsChanged(changed([email(CAROL)]));
    await post.deliverDue();
    return { post, token: post.linkToken(CAROL) };
  }

  test("accepts the mailed link, repeatedly", async () => {
    const { post, token } = await asked();
    expect(await post.inspectLink(token)).toEqual({
      ok: true,
      value: { purpose: "confirm", channel: "email", value: "c•••@else.example", state: "unconfirmed", language: "en" },
    });
    for (const _ of [1, 2]) expect(await post.confirm(token)).toEqual({ ok: true, value: { state: "active" } });
  });

  test("rejects the link after seven days, unless it was used before", async () => {
    const { post, token } = await asked();
    post.advance(7 * DAY - 1);
    expect((await post.inspectLink(token)).ok).toBe(true);
    post.advance(1);
    expect(await post.inspectLink(token)).toEqual({ ok: false, code: "LINK_INVALID" });
    expect(await post.confirm(token)).toEqual({ ok: false, code: "LINK_INVALID" });

    const other = await asked();
    await other.post.confirm(other.token);
    other.post.advance(30 * DAY);
    expect(await other.post.confirm(other.token)).toEqual({ ok: true, value: { state: "active" } });
  });

  test("does not undo an unsubscription", async () => {
    const { post, token } = await asked();
    await post.confirm(token);
    const [contact] = await post.deps.transaction(({ contacts }) => contacts.list("alice"));
    await post.unsubscribe(unsubscribeToken(keys.mac, contact?.id ?? ""));
    expect(await post.confirm(token)).toEqual({ ok: true, value: { state: "unsubscribed" } });
  });

  test("rejects tokens of another purpose, and forged ones", async () => {
    const { post, token } = await asked();
    const [contact] = await post.deps.transaction(({ contacts }) => contacts.list("alice"));
    const stop = unsubscribeToken(keys.mac, contact?.id ?? "");
    expect(await post.confirm(stop)).toEqual({ ok: false, code: "LINK_INVALID" });
    expect(await post.unsubscribe(token)).toEqual({ ok: false, code: "LINK_INVALID" });
    for (const made of [
      "",
      "v1",
      "v1..",
      "v1.x.y",
      `v2.${contact?.id}.x`,
      stop.slice(0, -1),
      `${stop}.x`,
      stop.toUpperCase(),
    ]) {
      expect(await post.inspectLink(made)).toEqual({ ok: false, code: "LINK_INVALID" });
      expect(await post.unsubscribe(made)).toEqual({ ok: false, code: "LINK_INVALID" });
      expect(await post.resubscribe(made)).toEqual({ ok: false, code: "LINK_INVALID" });
    }
  });
});

describe("unsubscribe()", () => {
  test("stops alerts to this contact, including those in progress, until it is resumed", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE)]);
    const raise = (id: string) =>
      post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(id, "home")] });
    await raise("a1");
    await post.deliverDue();
    const token = post.linkToken(ALICE);
    await raise("a2");
    expect(await post.unsubscribe(token)).toEqual({ ok: true, value: { state: "unsubscribed" } });
    expect(await post.unsubscribe(token)).toEqual({ ok: true, value: { state: "unsubscribed" } });
    await raise("a3");
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(1);
    expect(await post.deliveryOf("alert:a2")).toMatchObject({ state: "cancelled", reason: "unsubscribed" });
    expect(await post.deliveryOf("alert:a3")).toMatchObject({ state: "cancelled", reason: "unsubscribed" });

    expect(await post.resubscribe(token)).toEqual({ ok: true, value: { state: "active" } });
    await raise("a4");
    await post.deliverDue();
    expect(post.sentTo()).toHaveLength(2);
  });
});

describe("onDeleted()", () => {
  test("deletes the account's contacts and what is pending for them", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(ALICE), email(CAROL)]);
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
    await post.onDeleted({ type: "identity.deleted", accountId: "alice" });
    await post.deliverDue();
    expect(post.sender.sent).toEqual([]);
    expect(await post.ledger()).toEqual([]);
    expect(await post.statesOf("alice")).toEqual([]);
  });
});

describe("canonical()", () => {
  test("makes two spellings equal and rejects anything that is not exactly one address", () => {
    expect(canonical(email(" Alice@EXAMPLE.com "))).toEqual(email("alice@example.com"));
    expect(canonical({ channel: "telegram", value: "@Alice" })).toEqual({ channel: "telegram", value: "alice" });
    expect(canonical({ channel: "pushover", value: "uQiRzpo4" })).toEqual({ channel: "pushover", value: "uQiRzpo4" });
    for (const value of ["a@x.example,b@x.example", "a@x.example b@x.example", "", "a@x.example\r\nBcc: b@x.example"]) {
      expect(canonical(email(value))).toBeUndefined();
    }
  });

  test("is idempotent for any input", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        const form = canonical(email(value));
        return form === undefined || canonical(form)?.value === form.value;
      }),
    );
  });
});

describe("refused()", () => {
  const contact = newContact({
    id: "1",
    accountId: "alice",
    address: email(CAROL),
    language: "en",
    own: true,
    now: new Date(0),
  });
  test("marks a contact as failed only at the second rejection on a different day", () => {
    const morning = new Date("2026-03-02T08:00:00Z");
    const evening = new Date("2026-03-02T20:00:00Z");
    const nextDay = new Date("2026-03-03T01:00:00Z");
    const once = refused(contact, morning);
    expect(once.state).toBe("active");
    expect(refused(once, evening).state).toBe("active");
    expect(refusesForGood(once, evening)).toBe(false);
    expect(refused(refused(once, evening), nextDay).state).toBe("broken");
    expect(reached(refused(once, nextDay))).toMatchObject({ state: "active", refusedAt: undefined });
  });
});

test("masked() shows enough for the owner and too little for anyone else", () => {
  expect(masked(email("alice@breachbell.example"))).toBe("a•••@breachbell.example");
  expect(masked({ channel: "telegram", value: "alice" })).toBe("al•••");
  expect(masked({ channel: "webhook", value: "https://hooks.example:8443/in?key=x" })).toBe(
    "https://hooks.example:8443/•••",
  );
  expect(masked({ channel: "ntfy", value: "https://ntfy.sh/topic" })).toBe("https://ntfy.sh/•••");
  expect(masked({ channel: "ntfy", value: "topic" })).toBe("to•••");
});
