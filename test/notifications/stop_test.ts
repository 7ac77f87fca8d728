import { afterEach, describe, expect, test } from "bun:test";
import { smtpSender } from "../../src/notifications/adapters/channels/email/email.ts";
import { notificationRoutes } from "../../src/notifications/adapters/http/routes.ts";
import type { About } from "../../src/notifications/ports.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { change } from "./every_message.ts";
import { codeMail, DAY, email, HOUR, postOffice } from "./post_office.ts";
import { SERVER } from "./sample_mail.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
const OWN = "alice@breachbell.example";

/** Alice, whose mail is sent by SMTP, and what each kind of message requires. */
async function office() {
  const peer = await startSmtpPeer();
  const sender = smtpSender({ ...SERVER, url: peer.url });
  cleanUps.push(peer.close, sender.close);
  const post = postOffice({ senders: { email: sender } });
  post.watch("home", "alice@home.example", [email(OWN)]);
  post.changes.set("c1", change);
  const routes = notificationRoutes(post, { publicUrl: "https://breachbell.example" });
  let count = 0;
  const raised = () => post.found(`a${count++}`, "home");
  const told = { associationId: "home", accountId: "alice" };
  const tell: Partial<Record<About["kind"], () => Promise<void>>> = {
    alert: () => post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [raised()] }),
    alerts: () => post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [raised(), raised()] }),
    worse: () =>
      post.onAlertsWorsened({
        type: "breaches.alertsWorsened",
        breachName: "Adobe",
        changeId: "c1",
        alerts: [raised()],
      }),
    report: () => post.onBaselineReady({ type: "breaches.baselineReady", ...told, alertIds: [] }),
    async digest() {
      await settle({ digestBelow: "always" });
      await post.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [raised(), raised()] });
      await post.deliverDue();
      post.advance(DAY + HOUR);
      await post.gatherDue();
    },
  };
  async function settle(settings: { digestBelow?: "always" }): Promise<void> {
    const [contact] = await post.deps.transaction(({ contacts }) => contacts.list("alice"));
    if (contact) await post.deps.transaction(({ contacts }) => contacts.replace({ ...contact, settings }));
  }
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    ...told,
    language: "de",
    contacts: [email(OWN)],
  });
  const headerOf = (name: string) => peer.received.at(-1)?.mail.headers.find(({ key }) => key === name)?.value;
  return { post, peer, routes, tell, headerOf };
}

describe.each(["alert", "alerts", "worse", "report", "digest"] as const)(
  "The List-Unsubscribe of a mail of kind %s",
  (kind) => {
    test("takes effect: the mail program's POST, and no more mail", async () => {
      const { post, peer, routes, tell, headerOf } = await office();
      await tell[kind]?.();
      await post.deliverDue();
      expect(peer.received).toHaveLength(1);
      expect(headerOf("list-unsubscribe-post")).toBe("List-Unsubscribe=One-Click");
      const [, url = ""] =
        /^<(https:\/\/breachbell\.example\/u\/[\w.-]+)>$/.exec(headerOf("list-unsubscribe") ?? "") ?? [];
      // As in RFC 8058: no cookie, no session, a single form field.
      const headers = { "Content-Type": "application/x-www-form-urlencoded" };
      const answer = await routes.request(new URL(url).pathname, {
        method: "POST",
        headers,
        body: "List-Unsubscribe=One-Click",
      });
      expect([answer.status, await answer.text()]).toEqual([200, ""]);
      for (const again of ["alert", "worse"] as const) await tell[again]?.();
      post.advance(2 * DAY);
      await post.gatherDue();
      await post.deliverDue();
      expect(peer.received).toHaveLength(1);
      expect(await post.statesOf("alice")).toMatchObject([{ state: "unsubscribed" }]);
      // Log-ins still work, as their codes cannot be unsubscribed from.
      await post.onMailRequested(codeMail("123456"));
      await post.deliverDue();
      expect(peer.received).toHaveLength(2);
      expect(headerOf("list-unsubscribe")).toBeUndefined();
    });
  },
);
