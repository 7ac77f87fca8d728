import { expect, test } from "bun:test";
import { createNotifications, type NotificationDeps } from "../../src/notifications/mod.ts";
import type { MessageSender } from "../../src/notifications/ports.ts";
import { codeMail, email, MINUTE, postOffice } from "./post_office.ts";

const MODES = ["before", "rolled back", "after"] as const;
type Crash = { step: number; mode: (typeof MODES)[number] };

class Death extends Error {}

/** A process whose every transaction and send is one step, and which dies for good at one of them. */
function mortal(deps: NotificationDeps, crash: Crash | undefined) {
  let steps = 0;
  let dead = false;

  async function step<T>(work: (die: (mode: Crash["mode"]) => void) => Promise<T>): Promise<T> {
    if (dead) throw new Death();
    const number = steps++;
    const die = (mode: Crash["mode"]) => {
      if (number !== crash?.step || mode !== crash.mode) return;
      dead = true;
      throw new Death();
    };
    die("before");
    const result = await work(die);
    die("after");
    return result;
  }

  const { email: sender } = deps.senders;
  const mortalSender: MessageSender = {
    channel: "email",
    send: (message) =>
      step(async () => sender?.send(message) ?? { kind: "misconfigured", scope: "message", reason: "no sender" }),
  };
  const notifications = createNotifications({
    ...deps,
    senders: { email: mortalSender },
    transaction: (work) =>
      step((die) =>
        deps.transaction(async (store) => {
          const result = await work(store);
          die("rolled back");
          return result;
        }),
      ),
    report: () => undefined,
  });
  return { notifications, steps: () => steps };
}

/** One run of a process: pending events, then the queue. */
async function live(
  notifications: ReturnType<typeof createNotifications>,
  post: ReturnType<typeof postOffice>,
): Promise<void> {
  const contacts = post.routes.get("home")?.contacts ?? [];
  await notifications.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "en",
    contacts,
  });
  await notifications.onBaselineReady({
    type: "breaches.baselineReady",
    associationId: "home",
    accountId: "alice",
    alertIds: [],
  });
  await notifications.onAlertsRaised({
    type: "breaches.alertsRaised",
    alerts: ["a1", "a2"].map((id) => post.found(id, "home")),
  });
  await notifications.onAlertsRaised({ type: "breaches.alertsRaised", alerts: [post.found("a3", "home")] });
  await notifications.onMailRequested(MAIL);
  await notifications.deliverDue();
}

const MAIL = codeMail("123456");
const EXPECTED = [
  "2 new data breaches found",
  "Data breach: Adobe",
  "First check: nothing found",
  "Would you like alerts about data breaches?",
  "Your Breachbell code",
];

async function run(crash: Crash | undefined): Promise<{ steps: number; extra: number }> {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email("alice@breachbell.example"), email("carol@else.example")]);
  const first = mortal(post.deps, crash);
  await live(first.notifications, post).catch((error) => {
    if (!(error instanceof Death)) throw error;
  });
  post.advance(MINUTE + 1);
  await live(createNotifications(post.deps), post);

  const times = Map.groupBy(post.sender.sent, ({ messageId }) => messageId);
  const subjects = [...times.values()].flatMap(([message]) => message?.content.subject ?? []).sort();
  expect({ crash, subjects }).toEqual({ crash, subjects: EXPECTED });
  let extra = 0;
  for (const row of await post.ledger()) {
    const accepted = times.get(row.messageId)?.length ?? 0;
    if (row.reason === "unconfirmed") expect(row.state).toBe("held");
    else if (row.reason === "gathered") expect(row.state).toBe("cancelled");
    else expect({ crash, state: row.state, accepted: accepted > 0 }).toEqual({ crash, state: "sent", accepted: true });
    if (accepted > 1) expect({ crash, inDoubt: row.inDoubt }).toEqual({ crash, inDoubt: true });
    extra += Math.max(0, accepted - 1);
  }
  expect(post.reports).toEqual([]);
  return { steps: first.steps(), extra };
}

test("deliverDue() loses nothing and repeats only what is in doubt, wherever its process dies", async () => {
  const { steps, extra } = await run(undefined);
  expect(extra).toBe(0);
  expect(steps).toBeGreaterThan(15);
  let repeated = 0;
  for (let step = 0; step < steps; step++) {
    for (const mode of MODES) repeated += (await run({ step, mode })).extra;
  }
  // A crash between a provider's acceptance and its record looks like a crash before it.
  expect(repeated).toBeGreaterThan(0);
});
