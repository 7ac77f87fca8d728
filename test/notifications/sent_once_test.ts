import { describe, expect, test } from "bun:test";
import { codeMail, email, MINUTE, postOffice } from "./post_office.ts";

const STRANGER = "stranger@else.example";

/** A database that can be away. */
function interrupted() {
  const plain = postOffice();
  let isAway = false;
  const transaction: typeof plain.deps.transaction = (work) => {
    if (isAway) return Promise.reject(new Error("The database is restarting"));
    return plain.deps.transaction(work);
  };
  const worker = plain.anotherWorker({ transaction });
  plain.sender.onSent = () => {
    isAway = true;
  };
  const back = () => {
    isAway = false;
  };
  return { ...plain, worker, back };
}

describe("A message is sent once", () => {
  test("when the database is away just after it was sent, also for longer than its lease", async () => {
    const post = interrupted();
    post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
    await post.raiseEach([post.found("a1", "home")]);
    await expect(post.worker.deliverDue()).rejects.toThrow("The database is restarting");
    post.advance(2 * MINUTE);
    post.back();
    await post.worker.deliverDue();
    await post.worker.deliverDue();
    expect(post.sentTo()).toEqual(["alice@breachbell.example"]);
    expect(await post.deliveryOf("alert:a1")).toMatchObject({ state: "sent", attempts: 1 });
  });

  test.each([
    ["with", { accountId: "alice" }],
    ["without", {}],
  ])("%s an account, when the event that asked for it is repeated", async (_, owner) => {
    let isUnfinished = true;
    const post = postOffice({ hasUnfinishedEvents: async () => isUnfinished });
    const { accountId: _alice, ...plain } = codeMail("424242", { to: STRANGER });
    const mail = { ...plain, ...owner };
    await post.onMailRequested(mail);
    await post.deliverDue();
    post.advance(2 * MINUTE);
    await post.deliverDue();
    await post.onMailRequested(mail);
    isUnfinished = false;
    await post.deliverDue();
    expect(post.sentTo()).toEqual([STRANGER]);
    expect(await post.ledger()).toHaveLength("accountId" in owner ? 1 : 0);
  });
});
