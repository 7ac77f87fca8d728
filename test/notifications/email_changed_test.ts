import { describe, expect, test } from "bun:test";
import { email, postOffice } from "./post_office.ts";

const OLD = "alice@breachbell.example";
const NEW = "alice@new.example";
const CAROL = "carol@else.example";

async function aliceMoves(to: string) {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email(OLD), email(NEW), email(CAROL)]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  await post.deliverDue();
  const asked = post.sentTo();
  const account = { email: to, language: "en", firstName: "Alice", verified: true } as const;
  post.accounts.set("alice", account);
  const moved = () =>
    post.onEmailChanged({ type: "identity.emailChanged", accountId: "alice", from: OLD, to, formerAddress: "ask" });
  await moved();
  await moved();
  await post.deliverDue();
  const states = Object.fromEntries((await post.statesOf("alice")).map(({ value, state }) => [value, state]));
  return { post, asked, states, since: () => post.sentTo().slice(asked.length) };
}

describe("onEmailChanged()", () => {
  test("confirms the contact at the new address, sends what was pending once, and asks again before the former one is reused", async () => {
    const { asked, states, since } = await aliceMoves(NEW);
    expect(asked.toSorted()).toEqual([CAROL, NEW, OLD].toSorted());
    expect(states).toEqual({ [OLD]: "unconfirmed", [NEW]: "active", [CAROL]: "unconfirmed" });
    expect(since()).toEqual([NEW]);
  });

  test("asks a contact again that was confirmed, then was the account's address, and no longer is", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(CAROL)]);
    await post.raiseEach([post.found("a1", "home")]);
    await post.deliverDue();
    await post.confirm(post.linkToken(CAROL));
    await post.deliverDue();
    const move = async (from: string, to: string) => {
      post.accounts.set("alice", { email: to, language: "en", firstName: "Alice", verified: true });
      await post.onEmailChanged({ type: "identity.emailChanged", accountId: "alice", from, to, formerAddress: "ask" });
    };
    await move(OLD, CAROL);
    await move(CAROL, NEW);
    await post.raiseEach([post.found("a2", "home")]);
    await post.deliverDue();
    expect(post.sender.sent.map(({ kind, to }) => [kind, to.value])).toEqual([
      ["confirmation", CAROL],
      ["alert", CAROL],
      ["confirmation", CAROL],
    ]);
  });

  test("creates no contact from an invalid address", async () => {
    const { states, since } = await aliceMoves("other@new.example");
    expect(states).toEqual({ [OLD]: "unconfirmed", [NEW]: "unconfirmed", [CAROL]: "unconfirmed" });
    expect(since()).toEqual([]);
  });

  test("does not undo an unsubscription", async () => {
    const post = postOffice();
    post.watch("home", "alice@home.example", [email(OLD), email(CAROL)]);
    await post.onContactsChanged({
      type: "tracking.contactsChanged",
      associationId: "home",
      accountId: "alice",
      language: "en",
      contacts: [email(CAROL)],
    });
    await post.deps.transaction(async ({ contacts }) => {
      for (const contact of await contacts.list("alice")) await contacts.replace({ ...contact, state: "unsubscribed" });
    });
    await post.onEmailChanged({
      type: "identity.emailChanged",
      accountId: "alice",
      from: OLD,
      to: CAROL,
      formerAddress: "ask",
    });
    expect((await post.statesOf("alice")).map(({ state }) => state)).toEqual(["unsubscribed"]);
  });
});
