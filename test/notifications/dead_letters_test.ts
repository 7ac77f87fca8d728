import { expect, test } from "bun:test";
import { codeMail, email, postOffice } from "./post_office.ts";

test("undelivered messages are listed for the operator without their contents, and arrive when they are sent again", async () => {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
  await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a1", "home")] });
  post.sender.answer({ kind: "dead", cause: "message", reason: "552 too big" });
  await post.deliverDue();
  const { items, total } = await post.listDead(1);
  expect(total).toBe(1);
  expect(items).toMatchObject([{ state: "refused", reason: "rejected", detail: "552 too big", kind: "alert" }]);
  expect(JSON.stringify(items)).not.toMatch(/alice@|adobe/i);
  const id = items[0]?.id ?? "";
  expect(await post.resend(id)).toMatchObject({ ok: true });
  expect(await post.resend(id)).toEqual({ ok: false, code: "NOT_FOUND" });
  await post.deliverDue();
  expect(post.sentTo()).toContain("alice@breachbell.example");
  expect((await post.listDead(1)).total).toBe(0);
});

test("a message whose secret is gone cannot be sent again", async () => {
  const post = postOffice();
  await post.onMailRequested(codeMail("424242"));
  post.sender.answer({ kind: "dead", cause: "message", reason: "no" });
  await post.deliverDue();
  const { items } = await post.listDead(1);
  expect(await post.resend(items[0]?.id ?? "")).toEqual({ ok: false, code: "NOT_FOUND" });
});
