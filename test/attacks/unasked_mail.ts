import { mailboxKey } from "../../src/shared/mailbox_key.ts";
import { eventually } from "../e2e/product.ts";
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

/** How long the jobs may take to mail a hundred invitations. */
const MAILS_MS = 60_000;

const mailsTo = ({ smtp }: Target, address: string) =>
  count(smtp.received, ({ to }) => to.some((one) => mailboxKey(one) === mailboxKey(address)));
const tagged = (address: string, tag: string | number) => address.replace("@", `+${tag}@`);

/** Every mail that an account can cause to somebody who has not asked for it. */
function pestering(
  { call, email }: Person,
  victim: string,
  { from, claims }: { from: number; claims: boolean },
): Promise<Answer>[] {
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
    ["/api/support/tickets", ticket],
  ];
  // Whoever wants a mailbox to be the account's own may be its owner.
  if (claims) requests.push(["/api/profile/email", { email: tagged(victim, `new-${from}`) }]);
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

/** Room for many addresses. */
async function givePlan({ sql }: Target, people: Person[]): Promise<void> {
  await sql`update billing.subscription set granted_plan = 'professional', granted_quantity = 50,
    granted_from = now(), granted_until = now() + interval '1 day', cap = 2500
    where account_id in ${sql(people.map(({ id }) => id))}`;
}

/** Has each of these ask so many strangers at once, and counts the mails that leave. */
async function invitations(
  target: Target,
  askers: Person[],
  { each, domain, expected }: { each: number; domain: string; expected: number },
): Promise<number> {
  await givePlan(target, askers);
  const asked = askers.flatMap(({ call, email }, asker) =>
    Array.from({ length: each }, (_, at) =>
      call("POST", "/api/associations", {
        body: tracked(`s48-${asker}-${at}@${domain}`, false, email),
        process: at,
      }),
    ),
  );
  await Promise.all(asked);
  const mails = () => count(target.smtp.recipients, (address) => address.endsWith(`@${domain}`));
  // Invitations that are still to be mailed do not wait in any queue.
  await eventually(`${expected} mails to ${domain}`, () => mails() >= expected || undefined, MAILS_MS).catch(() => {});
  await allQuiet(target);
  return mails();
}

async function twentyADay(target: Target): Promise<Finding[]> {
  const busy = await person(target, "s48-busy@example.net");
  const mails = await invitations(target, [busy], { each: 30, domain: "many.example", expected: 20 });
  return [
    atMost("S48", "invitations that leave, of 30 of one asker at once on two processes", mails, 20),
    atLeast("S48", "of these, that do leave", mails, 20),
  ];
}

async function hundredOfANetwork(target: Target): Promise<Finding[]> {
  const askers: Person[] = [];
  for (let at = 0; at < 6; at++) askers.push(await person(target, `s48-crowd-${at}@example.net`));
  const ids = askers.map(({ id }) => id);
  await target.sql`update identity.users set network = 'one network' where id in ${target.sql(ids)}`;
  const mails = await invitations(target, askers, { each: 20, domain: "crowd.example", expected: 100 });
  return [
    atMost("S48", "invitations that leave, of 120 of six askers of one network", mails, 100),
    atLeast("S48", "of these, that do leave", mails, 100),
  ];
}

/** S48: one mailbox receives few unsolicited mails, whoever causes them and in whatever way. */
export async function unaskedMail(target: Target, { long }: Size): Promise<Finding[]> {
  const [nobody, asked, claimed] = ["s48-nobody@example.org", "s48-asked@example.org", "s48-claimed@example.org"];
  const victim = await person(target, "s48-victim@example.org");
  const own = mailsTo(target, victim.email);
  const askers: Person[] = [];
  for (let at = 0; at < (long ? 8 : 3); at++) askers.push(await person(target, `s48-asker-${at}@example.net`));
  await givePlan(target, askers);
  const answers = await Promise.all(
    askers.flatMap((asker, at) => [
      ...[nobody, victim.email].flatMap((address) => pestering(asker, address, { from: at, claims: true })),
      ...pestering(asker, asked, { from: at, claims: false }),
    ]),
  );
  answers.push(...(await Promise.all(strangers(target, claimed, long ? 12 : 5))));
  await eventually(`three mails to ${asked}`, () => mailsTo(target, asked) >= 3 || undefined, MAILS_MS).catch(() => {});
  await allQuiet(target);
  const unasked = mailsTo(target, victim.email) - own;
  const { code } = await halfWay(target, victim.email);
  return [
    atMost("S48", `mails to a mailbox of ${askers.length} accounts in four ways at once`, mailsTo(target, asked), 3),
    atLeast("S48", "of these, that do come", mailsTo(target, asked), 3),
    atMost(
      "S48",
      "mails to one that they also want to be theirs, of which one more may come",
      mailsTo(target, nobody),
      4,
    ),
    atMost("S48", "mails to such a one with an account", unasked, 4),
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
    ...(await hundredOfANetwork(target)),
  ];
}
