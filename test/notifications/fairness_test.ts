import { expect, test } from "bun:test";
import { email, HOUR, postOffice } from "./post_office.ts";

test("thousands of alerts of one account delay another account's alert by no more than those in progress", async () => {
  const post = postOffice();
  post.accounts.set("bob", { email: "bob@breachbell.example", language: "en", firstName: "Bob", verified: true });
  post.watch("many", "alice@home.example", [email("alice@breachbell.example")]);
  post.watch("one", "bob@home.example", [email("bob@breachbell.example")], "bob");
  const alerts = Array.from({ length: 3000 }, (_, index) => post.found(`a${index}`, "many"));
  // Contacts with a daily digest get everything else as separate messages.
  await post.raiseEach(alerts.slice(0, 1));
  const [contact] = await post.deps.transaction(({ contacts }) => contacts.list("alice"));
  if (!contact) throw new Error("Alice has no contact");
  await post.deps.transaction(({ contacts }) => contacts.replace({ ...contact, settings: { digestBelow: "medium" } }));
  for (let start = 0; start < alerts.length; start += 500)
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: alerts.slice(start, start + 500) });
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("b1", "one")] });
  const now = post.deps.now();
  const claim = (limit: number) =>
    post.deps.transaction(({ deliveries }) =>
      deliveries.claimDue(["email"], limit, now, new Date(now.getTime() + HOUR)),
    );
  const first = await claim(5);
  expect(first.map(({ subject }) => subject)).toContain("alert:b1");
  // An account with many alerts gets the whole queue when there are no others: no capacity is reserved.
  expect(await claim(3001)).toHaveLength(2996);
}, 60_000);

test("an account's own alerts keep their order", async () => {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
  for (const id of ["a", "b", "c", "d"])
    await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found(id, "home")] });
  await post.deliverDue();
  const order = (await post.ledger()).toSorted((one, other) => one.turn.getTime() - other.turn.getTime());
  expect(order.map(({ subject }) => subject)).toEqual(["alert:a", "alert:b", "alert:c", "alert:d"]);
});
