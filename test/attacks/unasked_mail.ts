import { mailboxKey } from "../../src/shared/mailbox_key.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import {
  type Answer,
  allQuiet,
  count,
  halfWay,
  type Person,
  person,
  registration,
  type Target,
  tracked,
} from "./target.ts";

const mailsTo = ({ smtp }: Target, address: string) =>
  count(smtp.received, ({ to }) => to.some((one) => mailboxKey(one) === mailboxKey(address)));
const tagged = (address: string, tag: string | number) => address.replace("@", `+${tag}@`);

/** Every mail that an account can cause to somebody who has not asked for it. */
function pestering({ call, email }: Person, victim: string, from: number): Promise<Answer>[] {
  const ticket = {
    key: crypto.randomUUID(),
    firstName: "Alice",
    lastName: "Meyer",
    email: victim,
    privacy: true,
    type: "other",
    priority: "low",
    subject: "Question",
    description: "How does it go?",
  };
  const requests: [path: string, body: object][] = [
    ["/api/associations", tracked(victim, false, email)],
    ["/api/associations", tracked(tagged(victim, from), false, email)],
    ["/api/associations", tracked(email, true, tagged(victim, `contact-${from}`))],
    ["/api/profile/email", { email: tagged(victim, `new-${from}`) }],
    ["/api/support/tickets", ticket],
  ];
  return requests.map(([path, body], at) => call("POST", path, { body, process: from + at }));
}

/** Every mail that can be caused without an account, each time from another network. */
function strangers(target: Target, victim: string, times: number): Promise<Answer>[] {
  return Array.from({ length: times }, async (_, at) => {
    const { call } = target.browser();
    const email = at % 2 === 0 ? victim : tagged(victim, `registered-${at}`);
    await call("POST", "/api/register", { body: registration(email), process: at });
    await call("POST", "/api/login", { body: { email, password: registration(email).password }, process: at });
    await call("POST", "/api/resend-code", { process: at + 1 });
    return call("POST", "/api/forgot-password", { body: { email }, process: at });
  });
}

async function twentyADay(target: Target): Promise<Finding[]> {
  const asker = await person(target, "s48-busy@example.net");
  await target.sql`update billing.subscription set granted_plan = 'professional', granted_quantity = 50,
    granted_from = now(), granted_until = now() + interval '1 day', cap = 2500 where account_id = ${asker.id}`;
  const asked = Array.from({ length: 30 }, (_, at) => `s48-${at}@many.example`);
  await Promise.all(
    asked.map((address, at) =>
      asker.call("POST", "/api/associations", { body: tracked(address, false, asker.email), process: at }),
    ),
  );
  await allQuiet(target);
  const mails = count(target.smtp.recipients, (address) => address.endsWith("@many.example"));
  return [
    atMost("S48", `invitations that leave, of ${asked.length} of one asker at once on two processes`, mails, 20),
    atLeast("S48", "of these, that do leave", mails, 20),
  ];
}

/** S48: one mailbox receives few unsolicited mails, whoever causes them and in whatever way. */
export async function unaskedMail(target: Target, { long }: Size): Promise<Finding[]> {
  const [nobody, claimed] = ["s48-nobody@example.org", "s48-claimed@example.org"];
  const victim = await person(target, "s48-victim@example.org");
  const own = mailsTo(target, victim.email);
  const askers: Person[] = [];
  for (let at = 0; at < (long ? 8 : 3); at++) askers.push(await person(target, `s48-asker-${at}@example.net`));
  const addresses = [nobody, victim.email];
  // The plan covers three addresses: each account sends everything to one mailbox, and half of it to the other.
  const answers = await Promise.all(
    askers.flatMap((asker, at) => addresses.flatMap((address) => pestering(asker, address, at))),
  );
  answers.push(...(await Promise.all(strangers(target, claimed, long ? 12 : 5))));
  await allQuiet(target);
  const unasked = mailsTo(target, victim.email) - own;
  const { code } = await halfWay(target, victim.email);
  return [
    atMost(
      "S48",
      `mails to a mailbox without an account, of ${askers.length} accounts in five ways at once`,
      mailsTo(target, nobody),
      3,
    ),
    atMost("S48", "mails to one with an account", unasked, 3),
    atLeast("S48", "of both, that do come", mailsTo(target, nobody) + unasked, 2),
    atMost(
      "S48",
      "mails to one that strangers register and want codes for, a further network's included",
      mailsTo(target, claimed),
      4,
    ),
    atLeast("S48", "codes of its owner's own sign-in that come all the same", Number(code !== ""), 1),
    atMost(
      "S48",
      "answers with 5xx but for a full queue of passwords",
      count(answers, ({ status }) => status >= 500 && status !== 503),
      0,
    ),
    ...(await twentyADay(target)),
  ];
}
