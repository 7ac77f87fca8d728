import type { AlertView } from "../../src/breaches/alerts/alerts.ts";
import type { Composition } from "../../src/compose.ts";
import { manageToken } from "../../src/invitations/mails.ts";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { aBreach } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import { adaptersOn, composed, type Ground, memoryGround, settle } from "../support/world.ts";

export const PASSWORD = "Tranquil-Harbour-42";
export const ALL = { details: true, sensitive: true };
export const [ALICE, BOB, CHARLIE, DORA] = ["alice", "bob", "charlie", "dora"].map((name) => `${name}@example.org`) as [
  string,
  string,
  string,
  string,
];

export type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** An HTTP client with its cookie, if it has one. */
export function visitor({ app }: Composition) {
  let cookie = "";
  const call: Call = async (method, path, body) => {
    const json = body !== undefined && { "Content-Type": "application/json" };
    const headers = { "Sec-Fetch-Site": "same-origin", Cookie: cookie, ...json };
    const answer = await app.request(path, { method, headers, ...(json && { body: JSON.stringify(body) }) });
    cookie = answer.headers.get("Set-Cookie")?.split(";")[0] ?? cookie;
    return answer;
  };
  return call;
}

async function accepted(answer: Promise<Response>): Promise<Response> {
  const given = await answer;
  if (!given.ok) throw new Error(`Cannot go on: ${given.status} ${await given.text()}`);
  return given;
}

export async function register(world: Composition, email: string): Promise<void> {
  const [name = ""] = email.split("@");
  const names = { firstName: `${name[0]?.toUpperCase()}${name.slice(1)}`, lastName: "Keller" };
  const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
  const body = { ...names, ...passwords, email, language: "en", terms: true };
  await accepted(visitor(world)("POST", "/api/register", body));
  await settle(world);
}

/** Logged in fully, or only with the first step. */
export async function signIn(world: Composition, email: string, level: "full" | "partial" = "full"): Promise<Call> {
  const call = visitor(world);
  await accepted(call("POST", "/api/login", { email, password: PASSWORD }));
  if (level === "full") await accepted(call("POST", "/api/verify-code", { code: "123456" }));
  return call;
}

export const settingsFor = (email: string) => ({ owner: false, language: "de", contacts: { email: [email] } });

/** A world in which Bob's address is in a plain and in a sensitive breach, and Alice and Bob have accounts. */
export async function consentWorld() {
  const ground = memoryGround();
  const affairs = aBreach({ name: "Affairs", flags: ["sensitive"], addedDate: "2013-01-01T00:00:00Z" });
  ground.feed.publish(aBreach({ name: "Adobe", title: "Adobe Shop", pwnCount: 777_777 }), affairs);
  ground.feed.expose(BOB, "Adobe", "Affairs");
  const adapters = adaptersOn(ground);
  const world = composed(adapters);
  await world.breaches.pollCatalogue();
  for (const email of [ALICE, BOB]) await register(world, email);
  const manageTokenOf = (invitationId: string) => manageToken(adapters.system.mac, invitationId);
  return { ground, world, manageTokenOf };
}

export type ConsentWorld = Awaited<ReturnType<typeof consentWorld>>;
export type Asked = { associationId: string; invitationId: string; token: string };

/** The token of the link mailed to an address most recently. */
export function mailedToken({ sender }: Ground, to: string): string {
  const mails = sender.sent.filter((message) => message.to.value === to).map(({ content }) => JSON.stringify(content));
  return mails.findLast((text) => text.includes("manage-invitation"))?.match(/#t=([\w.-]+)/)?.[1] ?? "";
}

/** Requests consent from Bob by mail. */
export async function ask({ ground, world }: ConsentWorld, email: string): Promise<Asked> {
  const call = await signIn(world, email);
  const body = { ...settingsFor(email), address: BOB };
  const { id } = (await (await accepted(call("POST", "/api/associations", body))).json()) as { id: string };
  await settle(world);
  const { items } = (await (await call("GET", "/api/invitations/sent")).json()) as { items: { id: string }[] };
  return { associationId: id, invitationId: items[0]?.id ?? "", token: mailedToken(ground, BOB) };
}

/** As the owner of the address, by link and without an account. */
export async function byLink(world: Composition, act: string, body: object): Promise<void> {
  await accepted(visitor(world)("POST", `/api/invitation-links/${act}`, body));
  await settle(world);
}

/** Bob has blocked Dora, and she has sent another request since. */
export async function blockedDora(one: ConsentWorld): Promise<Asked> {
  await register(one.world, DORA);
  const { token } = await ask(one, DORA);
  await byLink(one.world, "accept", { token, ...ALL });
  await byLink(one.world, "withdraw", { token, block: true });
  return ask(one, DORA);
}

export const STATES = [
  "pending",
  "accepted",
  "declined",
  "withdrawn",
  "expired",
  "cancelled",
  "suspended",
  "paused",
] as const;
export type State = (typeof STATES)[number];

/** Alice's alerts by breach name; a random id for one that was never raised. */
export type AlertIds = { Adobe: string; Affairs: string };

/** Brings Alice's request to `state`; once accepted, with `scope`. */
export async function bring(one: ConsentWorld, asked: Asked, state: State, scope: ConsentScope): Promise<AlertIds> {
  const { ground, world } = one;
  const { token, associationId, invitationId } = asked;
  const alice = await signIn(world, ALICE);
  const ids: AlertIds = { Adobe: crypto.randomUUID(), Affairs: crypto.randomUUID() };
  if (state === "declined") await byLink(world, "decline", { token, block: false });
  else if (state === "cancelled") await accepted(alice("POST", `/api/invitations/${invitationId}/cancel`, {}));
  else if (state === "expired") ground.clock.pass(7 * DAY);
  else if (state !== "pending") {
    // Accepted with the full scope first, so that alerts exist that the narrower scope must hide.
    await byLink(world, "accept", { token, ...ALL });
    const { items } = (await (await alice("GET", "/api/alerts")).json()) as { items: AlertView[] };
    for (const { id, breach } of items) ids[breach?.name as keyof AlertIds] = id;
    await byLink(world, "scope", { token, ...scope });
  }
  if (state === "withdrawn") await byLink(world, "withdraw", { token, block: false });
  if (state === "paused") await accepted(alice("POST", `/api/associations/${associationId}/pause`, { paused: true }));
  if (state === "suspended") {
    ground.clock.pass(14 * DAY);
    await world.billing.settleDue();
  }
  await settle(world);
  return ids;
}
