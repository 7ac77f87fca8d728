import { mailboxKey } from "../../src/shared/mailbox_key.ts";
import { PASSWORD } from "../e2e/api.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { allQuiet, count, mailTo, type Person, person, type Target, tokenIn, tracked } from "./target.ts";

const QUESTION = /manage-invitation#t=/;
const ask = ({ call, email }: Person, address: string, process = 0) =>
  call("POST", "/api/associations", { body: tracked(address, false, email), process });

/** How many mails the mailbox of an address has received, in any spelling. */
const mailsTo = ({ smtp }: Target, address: string) =>
  count(smtp.received, ({ to }) => to.some((one) => mailboxKey(one) === mailboxKey(address)));

/** Declines the request in the newest mail, with or without a block. */
async function refuse(target: Target, address: string, block: boolean): Promise<void> {
  const token = tokenIn(await mailTo(target, address, QUESTION));
  target.secrets.add(token);
  await target.browser().call("POST", "/api/invitation-links/decline", { body: { token, block }, process: 1 });
}

/** Deletes the account, and registers again with this email. */
async function returned(target: Target, former: Person, email: string): Promise<Person> {
  await former.call("POST", "/api/profile/delete", { body: { password: PASSWORD } });
  await allQuiet(target);
  return person(target, email);
}

/** S47: declines, blocks and trials belong to mailboxes, and outlive accounts and spellings. */
export async function returningAskers(target: Target): Promise<Finding[]> {
  const [blocking, declining] = ["s47.blocks@gmail.com", "s47-declines@example.org"];
  const spellings = ["s47blocks+1@gmail.com", "s.47blocks@googlemail.com", blocking];
  let asker = await person(target, "s47@example.net");
  const trialEnd = async () => String((await asker.call("GET", "/api/subscription")).data.trialEndsAt);
  const trial = await trialEnd();
  await ask(asker, blocking);
  await ask(asker, declining, 1);
  await refuse(target, blocking, true);
  await refuse(target, declining, false);
  const before = [mailsTo(target, blocking), mailsTo(target, declining)];

  const refusals: string[] = [];
  const again = async () => {
    for (const [at, spelling] of spellings.entries()) await ask(asker, spelling, at);
    for (const one of [declining, declining.replace("@", "+again@")]) refusals.push((await ask(asker, one, 1)).code);
    // The plan covers three addresses.
    await asker.call("POST", "/api/associations/remove", {
      body: {
        ids: ((await asker.call("GET", "/api/associations")).data.items as { id: string }[]).map(({ id }) => id),
      },
    });
  };
  await again();
  const trials = [];
  for (const email of ["s47@example.net", "s47+other@example.net"]) {
    asker = await returned(target, asker, email);
    trials.push(await trialEnd());
    await again();
  }
  await allQuiet(target);
  const after = [mailsTo(target, blocking), mailsTo(target, declining)];

  const other = await person(target, "s47-other@example.org");
  await ask(other, blocking);
  await ask(other, declining, 1);
  for (const address of [blocking, declining]) await mailTo(target, address, QUESTION, 0);
  await allQuiet(target);
  const beyond = [mailsTo(target, blocking), mailsTo(target, declining)];
  return [
    atLeast("S47", "questions that are mailed before anybody says no", before[0] === 1 && before[1] === 1 ? 2 : 0, 2),
    atMost(
      "S47",
      "mails after a block, to three spellings of one mailbox, from three accounts of one asker",
      (after[0] ?? 0) - (before[0] ?? 0),
      0,
    ),
    atMost("S47", "mails after a no, from them", (after[1] ?? 0) - (before[1] ?? 0), 0),
    atMost(
      "S47",
      `questions after a no that are not refused, of ${refusals.length}`,
      count(refusals, (code) => code !== "INVITATION_DECLINED_RECENTLY"),
      0,
    ),
    atMost(
      "S47",
      "trials that begin anew with an account that comes back",
      count(trials, (end) => end > trial),
      0,
    ),
    atLeast(
      "S47",
      "questions of somebody else that still arrive",
      count(beyond, (mails) => mails === 2),
      2,
    ),
  ];
}
