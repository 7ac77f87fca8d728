import { describe, expect, test } from "bun:test";
import { bounceToken } from "../../src/notifications/contacts/bounces.ts";
import { email, keys, postOffice } from "./post_office.ts";

const OWN = "alice@breachbell.example";
const CAROL = "carol@else.example";

const EVENTS = [
  [
    "new findings at a domain",
    (post: ReturnType<typeof postOffice>) =>
      post.onDomainFindings({
        type: "domains.findingsRaised",
        domainId: "site",
        accountId: "alice",
        domain: "site.example",
        findings: 3,
        addresses: 2,
        at: "2026-03-02T08:00:00.000Z",
        drill: false,
      }),
  ],
  [
    "a letter that is due",
    (post: ReturnType<typeof postOffice>) =>
      post.onLetterDue({
        type: "breaches.letterDue",
        accountId: "alice",
        associationId: "site",
        letterId: "l1",
        sentOn: "2026-02-01",
        dueOn: "2026-03-01",
      }),
  ],
] as const;

/** Carol is the confirmed contact. */
async function confirmed() {
  const post = postOffice();
  post.watch("site", "site.example", [email(CAROL)]);
  await post.raiseEach([post.found("a1", "site")]);
  await post.deliverDue();
  await post.confirm(post.linkToken(CAROL));
  await post.deliverDue();
  const before = post.sender.sent.length;
  return { post, sent: () => post.sender.sent.slice(before).map(({ to }) => to.value) };
}

describe.each(EVENTS)("A message about %s", (_, raise) => {
  test("goes to the account's own address if the contact refuses it", async () => {
    const { post, sent } = await confirmed();
    await raise(post);
    post.sender.answer({ kind: "dead", cause: "recipient", reason: "550 no such user", forGood: true });
    await post.deliverDue();
    await post.deliverDue();
    expect(sent()).toEqual([OWN]);
  });

  test("goes to the account's own address if the contact's mail bounces", async () => {
    const { post, sent } = await confirmed();
    await raise(post);
    await post.deliverDue();
    const id = (await post.ledger()).findLast(
      ({ recipient, state }) => recipient.value === CAROL && state === "sent",
    )?.id;
    await post.onBounce({ token: bounceToken(keys.mac, id ?? ""), status: "5.1.1", diagnostic: "no such user" });
    await post.deliverDue();
    expect(sent()).toEqual([CAROL, OWN]);
  });

  test("is not sent to a contact that was removed meanwhile", async () => {
    const { post, sent } = await confirmed();
    await raise(post);
    post.watch("site", "site.example", [email("dave@else.example")]);
    await post.deliverDue();
    await post.deliverDue();
    expect(sent()).toEqual([OWN]);
  });

  test("waits until the contact is confirmed", async () => {
    const post = postOffice();
    post.watch("site", "site.example", [email(CAROL)]);
    await raise(post);
    await post.deliverDue();
    expect(post.sender.sent.map(({ kind }) => kind)).toEqual(["confirmation"]);
    await post.confirm(post.linkToken(CAROL));
    await post.deliverDue();
    expect(post.sentTo()).toEqual([CAROL, CAROL]);
  });

  test("is not sent once the address or domain is no longer watched", async () => {
    const { post, sent } = await confirmed();
    await raise(post);
    post.routes.delete("site");
    await post.deliverDue();
    expect(sent()).toEqual([]);
  });
});
