// Fills an empty installation with invented people, families and a year of breaches, for trials, screenshots and load:
//   bun run seed                  40 people
//   bun run seed --people 2000
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import type { Adapters } from "../adapter_types.ts";
import { liveAdapters } from "../adapters.ts";
import { STATE_FILE } from "../breaches/adapters/sources/bundled/bundled.ts";
import type { Composition } from "../compose.ts";
import { loadConfig } from "../config/config.ts";
import { createLog } from "../runtime/log.ts";
import { HANDLE_REASONS } from "../shared/alert.ts";
import { listsOf } from "../shared/contacts.ts";
import { TERMS } from "../shared/terms.ts";
import { chanceOf, FAMILY, type Person, personOf } from "./seed_people.ts";
import { CODE, seedWorld } from "./seed_world.ts";

const PASSWORD = "Tranquil-Harbour-42";
const DAY_MS = 86_400_000;
const DAYS = 365;
const JOINED_WITHIN_DAYS = 28;

function stop(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The value, or the end with what the product answered. */
function done<Value>(what: string, result: { ok: true; value: Value } | { ok: false; code: string }): Value {
  return result.ok ? result.value : stop(`Could not ${what}: ${result.code}`);
}

/** Does what the jobs would, until nothing is left to do. */
async function settle({ dispatcher, billing, breaches, invitations, notifications }: Composition): Promise<void> {
  for (;;) {
    const { checked } = await breaches.scanDue("bundled");
    const steps = [
      ...[await dispatcher.drain(), checked, await breaches.tellChanges(), await invitations.mailDue()],
      ...[await invitations.expireDue(), await billing.settleDue(), await notifications.deliverDue()],
    ];
    if (steps.reduce((sum, count) => sum + Number(count ?? 0), 0) === 0) return;
  }
}

type World = Awaited<ReturnType<typeof seedWorld>> & { adapters: Adapters };
type Member = Person & { index: number; accountId: string };

/** An account with a proven email. Each comes from a network of their own. */
async function signUp({ product, adapters }: World, index: number): Promise<Member> {
  const person = personOf(index);
  const { email, firstName, lastName, language } = person;
  const ip = `2001:db8:${(index + 1).toString(16)}::1`;
  const chosen = { password: PASSWORD, confirmPassword: PASSWORD, terms: true as const, termsVersion: TERMS.version };
  const registered = await product.identity.register({ ...chosen, email, firstName, lastName, language }, { ip });
  done(`register ${email}`, registered);
  const { token } = done(
    "log in",
    await product.identity.login({ email, password: PASSWORD }, { ip, token: undefined }),
  );
  await product.dispatcher.drain();
  done("enter the code", await product.identity.verifyCode({ code: CODE }, { ip, token }));
  const user = await adapters.transactions.identity(({ users }) => users.findByEmail(email));
  return { ...person, index, accountId: user?.id ?? "" };
}

/** A plan for families and most others; the trial of the rest ends after two weeks. */
async function choosePlan({ product }: World, { accountId, index, email }: Member): Promise<void> {
  const isParent = index % FAMILY === 0;
  if (!isParent && chanceOf(email, "plan") > 0.6) return;
  const plan = isParent ? "professional" : "personal";
  const gift = { plan, quantity: 1, days: DAYS + 30, reason: "Invented data" } as const;
  done("grant a plan", await product.billing.grantPlan(accountId, gift, { by: "command_line" }));
}

async function track(product: Composition, { accountId, email, language }: Member, address: string): Promise<void> {
  const contacts = listsOf([{ channel: "email", value: email }]);
  const settings = { owner: false, language, invitationLanguage: language, contacts };
  done(`track ${address}`, await product.tracking.track(accountId, { address, ...settings }));
}

/** Everybody tracks their own address, and one member of each family the others', who answer one way or another. */
async function watch({ product }: World, family: Member[]): Promise<void> {
  for (const member of family) await track(product, member, member.email);
  const [parent, ...others] = family;
  if (!parent) return;
  for (const { email } of others) await track(product, parent, email);
  await settle(product);
  for (const { accountId, email } of others) {
    const { items } = done("read requests", await product.invitations.accessRequests(accountId, 1));
    const chance = chanceOf(email, "answer");
    for (const { id } of chance < 0.8 ? items : []) {
      const scope = { details: chance < 0.6, sensitive: chance < 0.3 };
      if (chance < 0.7) done("consent", await product.invitations.acceptRequest(accountId, id, scope));
      else done("decline", await product.invitations.declineRequest(accountId, id, false));
    }
  }
}

/** Deals with some of what is open, with a reason. */
async function handleSome({ product, clock }: World, { accountId }: Member): Promise<void> {
  const asked = { state: "pending", search: "", address: "", category: "", sort: "found", page: 1 } as const;
  const { items } = done("list alerts", await product.breaches.listAlerts(accountId, asked));
  const wanted = items.filter(({ id }) => chanceOf(id) < 0.7 && chanceOf(id, clock.at.getTime()) < 0.3);
  if (wanted.length === 0) return;
  const reason = HANDLE_REASONS[Math.floor(chanceOf(accountId, clock.at.getTime()) * HANDLE_REASONS.length)];
  done("handle alerts", await product.breaches.handleAlerts(accountId, wanted, { reason }));
}

async function fill(world: World, people: number, tell: (line: string) => void): Promise<void> {
  const { product, clock } = world;
  const start = clock.at.getTime();
  const members: Member[] = [];
  await product.breaches.pollCatalogue();
  for (let index = 0; index < people; index++) {
    clock.at = new Date(start + (index / people) * JOINED_WITHIN_DAYS * DAY_MS);
    const member = await signUp(world, index);
    await choosePlan(world, member);
    members.push(member);
    const isLast = index % FAMILY === FAMILY - 1 || index === people - 1;
    if (isLast) await watch(world, members.slice(Math.floor(index / FAMILY) * FAMILY));
    if (index % 100 === 99) tell(`${index + 1} of ${people} accounts`);
  }
  for (let week = Math.ceil(JOINED_WITHIN_DAYS / 7); week <= DAYS / 7; week++) {
    clock.at = new Date(start + week * 7 * DAY_MS);
    await product.breaches.pollCatalogue();
    await settle(product);
    if (week % 4 === 0) for (const member of members) await handleSome(world, member);
    if (week % 13 === 0) tell(clock.at.toISOString().slice(0, 10));
  }
  clock.at = new Date(start + (DAYS - 1) * DAY_MS);
  for (const parent of members.filter(({ index }) => index % FAMILY === 0))
    await track(product, parent, `friend.of.${parent.email}`);
  await settle(product);
}

const { values } = parseArgs({ options: { people: { type: "string", default: "40" } } });
const people = Number(values.people);
if (!Number.isInteger(people) || people < 1 || people > 60_000) stop("--people takes 1 to 60000");
const loaded = loadConfig(process.env, (path) => readFileSync(path, "utf8"));
if (!loaded.ok) stop(loaded.problems.join("\n"));
const { config } = loaded;
if (config.production) stop("This is for trials: in production nothing is invented");
if (!config.sources.some(({ kind }) => kind === "bundled")) stop("This needs BREACH_SOURCE=bundled, the default");
const { adapters, close } = await liveAdapters(
  config,
  createLog("error", (line) => process.stderr.write(line)),
);
if (await adapters.transactions.identity(({ users }) => users.hasVerified()))
  stop("There are accounts already: this fills empty installations only. Choose another DATA_DIR or DATABASE_URL");
const started = performance.now();
const world = { ...(await seedWorld(adapters, config, new Date(Date.now() - DAYS * DAY_MS))), adapters };
await fill(world, people, (line) => console.log(`· ${line}`));
mkdirSync(config.dataDir, { recursive: true });
writeFileSync(join(config.dataDir, STATE_FILE), `${JSON.stringify({ published: world.clock.at.toISOString() })}\n`);
await close();
console.log(
  `${people} accounts in ${((performance.now() - started) / 1000).toFixed(0)} s. Log in as ${personOf(0).email} with the password ${PASSWORD}`,
);
process.exit(0);
