import { PASSWORD } from "../e2e/api.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { allQuiet, type Browser, count, mailTo, type Person, person, type Target, tokenIn, tracked } from "./target.ts";

const LITTLE = { details: false, sensitive: false };
const OTHER = "Quiet-Meadow-77";
const WRONG = "Wr0ng-Harbour-42";
const QUESTION = /manage-invitation#t=/;

const itemsOf = async ({ call }: Browser, path: string, process = 0) =>
  (await call("GET", path, { process })).data.items as Record<string, unknown>[];

/** Everything stored that lets an account monitor an address: all except open requests, and the checks for it. */
async function watchesOf({ sql }: Target, { id }: Person, address: string): Promise<number> {
  const [row] = await sql`select
    (select count(*)::int from tracking.association where account_id = ${id} and address = ${address} and consent <> 'pending')
    + (select count(*)::int from breaches.watch where account_id = ${id} and address = ${address}) as count`;
  return Number(row?.count);
}

/** Alice tracks her verified address, and changes to another. */
async function movedAway(target: Target, from: string, to: string): Promise<Person> {
  const alice = await person(target, from);
  await alice.call("POST", "/api/associations", { body: tracked(from, true, from) });
  await allQuiet(target);
  await alice.call("POST", "/api/profile/email", { body: { email: to, formerAddress: "ask" } });
  const token = tokenIn(await mailTo(target, to, /#t=/));
  target.secrets.add(token);
  await alice.call("POST", "/api/email-change/confirm", { body: { token }, process: 1 });
  return alice;
}

/** Everything that an account can read about its addresses and findings, without times and ids. */
async function everythingOf({ call }: Browser, about: string): Promise<string> {
  const paths = [
    ...["/api/associations", "/api/alerts", "/api/alerts/facets", "/api/alerts/figures", "/api/bell"],
    ...["/api/invitations/sent", "/api/grants/may-watch", "/api/grants/watched-by", "/api/profile"],
    `/api/monitoring?child_email=${about}`,
  ];
  const texts = [];
  for (const path of paths) texts.push((await call("GET", path, { process: 1 })).text);
  return texts.join("\n");
}

/** S46: rights from a verification end with it, and the new owner of the address sees and ends what is left. */
async function formerProofs(target: Target): Promise<Finding[]> {
  const { sql } = target;
  const [old, changed] = ["s46-old@example.net", "s46-new@example.net"];
  const alice = await movedAway(target, old, changed);
  const question = tokenIn(await mailTo(target, old, QUESTION));
  target.secrets.add(question);
  await allQuiet(target);
  const outlived = await watchesOf(target, alice, old);
  const before = await everythingOf(alice, old);
  const bob = await person(target, old);
  await allQuiet(target);
  const told = Number((await everythingOf(alice, old)) !== before);

  const [request] = await itemsOf(bob, "/api/invitations/requests", 1);
  await bob.call("POST", `/api/invitations/${request?.id}/accept`, { body: LITTLE });
  const [row] =
    await sql`select consent, scope from tracking.association where account_id = ${alice.id} and address = ${old}`;
  const [grant] = await itemsOf(bob, "/api/grants/watched-by", 1);
  const ended = await bob.call("POST", `/api/grants/${grant?.id}/withdraw`, { body: { block: false }, process: 1 });
  await allQuiet(target);

  // As in older data and restored backups: another account tracks Bob's address as its own.
  const carla = await person(target, "s46-carla@example.net");
  await carla.call("POST", "/api/associations", { body: tracked(carla.email, true, carla.email) });
  await allQuiet(target);
  await sql`update tracking.association set address = ${old} where account_id = ${carla.id}`;
  const leftOver = [
    ...(await itemsOf(bob, "/api/grants/watched-by")),
    ...(await itemsOf(bob, "/api/invitations/requests")),
  ];
  const [watcher] = await itemsOf(bob, "/api/grants/watched-by");
  if (watcher) await bob.call("POST", `/api/grants/${watcher.id}/withdraw`, { body: { block: true } });
  await allQuiet(target);
  return [
    atMost("S46", "watches of a former address that outlive the proof", outlived, 0),
    atMost("S46", "answers to the former owner that changed when somebody else proved the address", told, 0),
    atLeast(
      "S46",
      "questions of the former owner that the proven one is shown, and grants that follow",
      count([request, grant], Boolean),
      2,
    ),
    atMost(
      "S46",
      "rights beyond what the proven owner answered",
      Number(JSON.stringify(row) !== JSON.stringify({ consent: "granted", scope: LITTLE })),
      0,
    ),
    atMost(
      "S46",
      "watches that the proven owner ended and that go on",
      Number(ended.status !== 200) + (await watchesOf(target, alice, old)),
      0,
    ),
    atLeast("S46", "watches of nobody's asking that the proven owner is shown", leftOver.length, 1),
    atMost("S46", "of these, that go on once they are ended", await watchesOf(target, carla, old), 0),
  ];
}

/** Ten wrong passwords from elsewhere, so that only a known device can still log in. */
async function shut(target: Target, email: string): Promise<void> {
  for (let tried = 0; tried < 10; tried++)
    await target.browser().call("POST", "/api/login", { body: { email, password: WRONG }, process: tried });
}

/** S46: a device is known until the account ends all other sessions, or gets another password. */
async function knownBrowsers(target: Target): Promise<Finding[]> {
  const email = "s46-browsers@example.net";
  const own = await person(target, email);
  let password = PASSWORD;
  /** An attacker with a copy of the browser's current device cookie; the browser's session continues. */
  const copied = () => new Map([...own.cookies].filter(([name]) => name !== "__Host-session"));
  const isKnown = async (cookies: Map<string, string>) => {
    await shut(target, email);
    const { code } = await target.browser(new Map(cookies)).call("POST", "/api/login", { body: { email, password } });
    return code !== "LOCKED";
  };
  const known = [await isKnown(copied())];
  const survived: boolean[] = [];
  const over = async (act: () => Promise<unknown>) => {
    const thief = copied();
    await act();
    survived.push(await isKnown(thief));
    known.push(await isKnown(copied()));
  };
  await over(() => own.call("POST", "/api/sessions/end-others", { process: 1 }));
  await over(async () => {
    await own.call("PUT", "/api/profile/password", { body: { password: OTHER, confirmPassword: OTHER } });
    password = OTHER;
  });
  await over(async () => {
    const from = target.smtp.received.length;
    await own.call("POST", "/api/forgot-password", { body: { email } });
    const token = tokenIn(await mailTo(target, email, /reset-password#t=/, from));
    target.secrets.add(token);
    await own.call("POST", "/api/reset-password", { body: { token, password: PASSWORD, confirmPassword: PASSWORD } });
    password = PASSWORD;
  });
  target.secrets.add(OTHER);
  return [
    atLeast("S46", "times that the owner's own browser is known, before and after each", count(known, Boolean), 4),
    atMost(
      "S46",
      "browsers still known after ending others, another password and a reset",
      count(survived, Boolean),
      0,
    ),
  ];
}

export const endedRights = async (target: Target): Promise<Finding[]> => [
  ...(await formerProofs(target)),
  ...(await knownBrowsers(target)),
];
