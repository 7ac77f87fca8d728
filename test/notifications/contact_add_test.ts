import { describe, expect, test } from "bun:test";
import { email, postOffice } from "./post_office.ts";

/** Alice's home address, whose alerts are sent to her own mailbox. */
function home() {
  const post = postOffice();
  post.watch("home", "alice@home.example", [email("alice@breachbell.example")]);
  return post;
}

describe("A contact", () => {
  test("is added on its own, asked for confirmation immediately, and recognised when it is added again", async () => {
    const post = home();
    const dana = { ...email("dana@elsewhere.example"), language: "it", everywhere: false } as const;
    const added = await post.addContact("alice", dana);
    expect(added).toMatchObject({ ok: true, value: { state: "unconfirmed", usedBy: [], added: true } });
    const { value } = added as Extract<typeof added, { ok: true }>;
    expect(await post.addContact("alice", dana)).toEqual({ ok: true, value: { ...value, added: false } });
    await post.deliverDue();
    expect(post.sentTo()).toEqual([dana.value]);
    expect(await post.addContact("nobody", dana)).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("that is added for everything receives alerts for every address", async () => {
    const post = home();
    const dana = { ...email("dana@elsewhere.example"), language: "it", everywhere: true } as const;
    expect(await post.addContact("alice", dana)).toMatchObject({
      value: { usedBy: [{ associationId: "home", address: "alice@home.example" }] },
    });
  });
});
