import { expect, test } from "bun:test";
import { DAY, email, postOffice } from "./post_office.ts";

const CAROL = "carol@elsewhere.example";

test("a contact whose confirmation exceeds the limits is shown as queued until it can be sent", async () => {
  const post = postOffice();
  const about = { type: "tracking.contactsChanged" as const, language: "en" as const, contacts: [email(CAROL)] };
  for (const accountId of ["bob", "carl", "dora"]) {
    post.accounts.set(accountId, { email: `${accountId}@x.example`, language: "en", firstName: "B", verified: true });
    await post.onContactsChanged({ ...about, associationId: accountId, accountId });
  }
  await post.onContactsChanged({ ...about, associationId: "home", accountId: "alice" });
  const asked = async () => {
    const listed = await post.listContacts("alice");
    return listed.ok && listed.value.items.map(({ value, state, asked }) => ({ value, state, asked }));
  };
  expect(await asked()).toEqual([{ value: CAROL, state: "unconfirmed", asked: false }]);
  post.advance(7 * DAY);
  await post.onContactsChanged({ ...about, associationId: "home", accountId: "alice" });
  expect(await asked()).toEqual([{ value: CAROL, state: "unconfirmed", asked: true }]);
});
