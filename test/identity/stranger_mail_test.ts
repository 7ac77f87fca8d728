import { describe, expect, test } from "bun:test";
import { ipBucket } from "../../src/shared/ip_bucket.ts";
import {
  ASKER_LIMIT,
  askerMark,
  NETWORK_LIMIT,
  networkMark,
  type StrangerMailRequest,
  takeStrangerMail,
} from "../../src/shared/stranger_mail.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

const STRANGER = "198.51.100.9";

async function registered(world: ReturnType<typeof identityWorld>, ip: string, email = ALICE.email) {
  const account = { ...ALICE, email };
  const opened = await world.identity.register(account, { ip });
  return opened.ok ? world.identity.login(account, { ip, token: undefined }) : opened;
}

test("repeated registrations of somebody else's mailbox send it three codes, and its owner still gets one", async () => {
  const world = identityWorld();
  for (let round = 0; round < 14; round++) {
    const email = ALICE.email.replace("@", `+${round % 3}@`);
    const done = await registered(world, STRANGER, round % 2 === 0 ? email : ALICE.email);
    if (round >= 3) expect(done).toMatchObject({ code: "MAILBOX_LIMITED" });
    if (round === 9) world.pass({ hours: 1 });
  }
  expect(await world.mails()).toHaveLength(3);
  expect(await world.identity.register(ALICE, { ip: STRANGER })).toMatchObject({ code: "MAILBOX_LIMITED" });

  accepted(await registered(world, HOME));
  expect(await world.mails()).toHaveLength(4);
  const code = await world.code();
  const again = await world.identity.login(ALICE, { ip: HOME, token: undefined });
  accepted(await world.identity.verifyCode({ code }, { ip: HOME, token: accepted(again).token }));

  // The verified owner of the mailbox requests its codes.
  for (let round = 0; round < 5; round++) await world.signIn();
  expect((await world.mails()).filter(({ template }) => template === "login_code")).toHaveLength(9);
});

test("an unverified mailbox is sent nothing but codes", async () => {
  const world = identityWorld();
  accepted(await world.identity.register(ALICE, { ip: STRANGER }));
  for (let challenge = 0; challenge < 3; challenge++) {
    const token = await world.login(ALICE, STRANGER);
    const wrong = world.wrong(await world.code());
    for (let round = 0; round < 5; round++)
      await world.identity.verifyCode({ code: wrong }, { ip: `203.0.113.${challenge * 5 + round}`, token });
  }
  expect(new Set((await world.mails()).map(({ template }) => template))).toEqual(new Set(["login_code"]));
});

test("a verified account gets its codes and password reset links even if others have used up its mailbox's limit", async () => {
  const world = identityWorld();
  const bob = { ...ALICE, email: "bob@example.net" };
  for (const person of [ALICE, bob]) {
    accepted(await world.identity.register(person, { ip: HOME }));
    await world.signIn(person);
  }
  const id = (await world.userOf(bob.email))?.id ?? "";
  const bother = (ip: string) =>
    world.identity.requestEmailChange(id, { email: ALICE.email, formerAddress: "ask" }, { ip, token: undefined });
  for (let round = 0; round < 3; round++) accepted(await bother(STRANGER));
  expect(await bother(STRANGER)).toMatchObject({ code: "MAILBOX_LIMITED" });

  await world.signIn();
  for (let round = 0; round < 5; round++) {
    world.pass({ seconds: 1 });
    await world.forgot();
  }
  const mails = (await world.mails()).filter(({ to }) => to === ALICE.email).map(({ template }) => template);
  expect(mails.filter((template) => template === "password_reset")).toHaveLength(5);
  expect(mails.filter((template) => template === "login_code")).toHaveLength(2);
});

describe("a limit of the sender's, which says nothing about the mailbox,", () => {
  /** Sends as many mails to strangers as this sender may in a day. */
  async function usedUp(world: ReturnType<typeof identityWorld>, sender: Partial<StrangerMailRequest>, count: number) {
    await world.transaction(async ({ strangerMail }) => {
      for (let mailbox = 0; mailbox < count; mailbox++)
        await takeStrangerMail(strangerMail, { ...sender, mailbox: String(mailbox) }, world.now());
    });
  }
  const TOMORROW = { ok: false, code: "MAIL_LIMITED", retryAfter: 24 * 3600 };

  test("is named when it refuses a new account and a code", async () => {
    const world = identityWorld();
    const [first, second] = [ALICE, { ...ALICE, email: "bob@example.net" }];
    accepted(await world.identity.register(first, { ip: STRANGER }));
    await usedUp(world, { network: networkMark(world.mac, ipBucket(HOME)) }, NETWORK_LIMIT.count);
    expect(await world.identity.register(second, { ip: HOME })).toMatchObject(TOMORROW);
    expect(await world.identity.login(first, { ip: HOME, token: undefined })).toMatchObject(TOMORROW);
    accepted(await world.identity.login(first, { ip: STRANGER, token: undefined }));
  });

  test("is named when it refuses a link to a new email", async () => {
    const world = identityWorld();
    accepted(await world.identity.register(ALICE, { ip: HOME }));
    await world.signIn();
    await usedUp(world, { asker: askerMark(world.mac, ALICE.email) }, ASKER_LIMIT.count);
    const id = (await world.userOf(ALICE.email))?.id ?? "";
    const changed = { email: "alice@new.example", formerAddress: "ask" } as const;
    expect(await world.identity.requestEmailChange(id, changed, { ip: HOME, token: undefined })).toMatchObject(
      TOMORROW,
    );
  });
});
