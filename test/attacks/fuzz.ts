import Ajv2020 from "ajv/dist/2020.js";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { bodyOf, type Operation, operationsIn, placeOf, type Schema, seeded, valid, withKey } from "./documents.ts";
import type { Size } from "./goal.ts";
import { type Answer, type Person, person, type Target, tracked } from "./target.ts";

const AT_ONCE = 4;
/** Calls that would end or replace the session used for further requests. */
export const WITHOUT_SESSION = ["signOut", "signIn", "deleteAccount"];
const LEAK = /\bat \S+ \(|\/src\/|node_modules|\bselect .* from\b|\binsert into\b|syntax error|postgres/i;

const ajv = new Ajv2020({ strict: false, validateFormats: false });
const checks = new Map<Schema, ReturnType<typeof ajv.compile>>();
const fits = (schema: Schema, value: unknown): boolean => {
  const check = checks.get(schema) ?? ajv.compile(schema);
  checks.set(schema, check);
  return check(value) === true;
};

const FAILURE: Schema & { additionalProperties: boolean } = {
  type: "object",
  required: ["code"],
  additionalProperties: false,
  properties: {
    code: { type: "string", pattern: "^[A-Z][A-Z_]+$" },
    fields: { type: "object" },
    retryAfter: { type: "integer" },
  },
};

export async function operationsOf(target: Target): Promise<Operation[]> {
  const { data } = await target.browser().call("GET", "/api/openapi.json");
  return operationsIn(data as Parameters<typeof operationsIn>[0]);
}

/** What is wrong with a response; undefined if nothing is. */
export function faultOf({ id, answers }: Operation, { status, headers, text, data }: Answer): string | undefined {
  const isJson = headers.get("Content-Type")?.startsWith("application/json") ?? false;
  if (status >= 500) return `${id}: ${status} ${text.slice(0, 100)}`;
  if (LEAK.test(text) && status >= 400) return `${id}: tells of its inside: ${text.slice(0, 100)}`;
  if (status >= 400) return isJson && fits(FAILURE, data) ? undefined : `${id}: ${status} ${text.slice(0, 100)}`;
  if (!(status in answers)) return status >= 300 ? undefined : `${id}: ${status} is not in the document`;
  const schema = answers[status];
  return schema === undefined || fits(schema, JSON.parse(text))
    ? undefined
    : `${id}: another form: ${text.slice(0, 100)}`;
}

/** An account with an address, alerts and a contact, whose ids are used in paths. */
export async function settled(target: Target, email: string): Promise<Person & { ids: string[] }> {
  const alice = await person(target, email);
  const added = await alice.call("POST", "/api/associations", { body: tracked(email, true, email) });
  const contacts = await alice.call("GET", "/api/contacts");
  // Except its sessions: the one in use must survive.
  const text = `${added.text} ${contacts.text}`;
  const ids = [...new Set(text.match(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g))];
  return { ...alice, ids };
}

/** S37: every operation of the document, called in every invalid way. */
export async function fuzz(target: Target, { long, seed }: Size): Promise<Finding[]> {
  const operations = await operationsOf(target);
  const alice = await settled(target, "s37@example.net");
  const random = seeded(seed);
  const rounds = long ? 2000 : 6;
  const faults = new Set<string>();
  let asked = 0;
  let gotThrough = 0;
  async function ask(operation: Operation): Promise<void> {
    const { id, method, body } = operation;
    // A different network address each time, so that no limit applies; a renewed session is continued with.
    const caller = WITHOUT_SESSION.includes(id) ? target.browser() : target.browser(alice.cookies);
    const isSent = ["POST", "PUT", "PATCH"].includes(method) || random.chance(0.05);
    const answer = await caller.call(method, placeOf(operation, random, alice.ids), {
      ...(isSent && method !== "GET" && { raw: bodyOf(body, random) }),
      process: asked,
    });
    asked += 1;
    gotThrough += Number(answer.status < 400);
    const fault = faultOf(operation, answer);
    if (fault) faults.add(fault);
  }
  const queue = Array.from({ length: rounds }, () => operations).flat();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let next = queue.pop(); next; next = queue.pop()) await ask(next);
    }),
  );
  const still = await alice.call("GET", "/api/me");
  for (const fault of faults) console.error(`S37 (seed ${seed}): ${fault}`);
  return [
    atMost(
      "S37",
      `answers with 5xx, of another form, or with their inside, of ${asked} to ${operations.length} operations (seed ${seed})`,
      faults.size,
      0,
    ),
    atLeast(
      "S37",
      "of these, requests that got through, with a session that lived to the end",
      still.status === 200 ? gotThrough : 0,
      long ? 1000 : 20,
    ),
  ];
}

const FOREIGN = [
  ...[
    "id",
    "owner_id",
    "accountId",
    "account_id",
    "userId",
    "state",
    "status",
    "auth_level",
    "level",
    "plan",
    "cap",
    "quantityMax",
  ],
  ...["verifiedAt", "verified_at", "staff", "isAdmin", "role", "passwordHash", "createdAt", "__proto__", "constructor"],
];

/** S27: read-only fields. */
export async function foreignFields(target: Target): Promise<Finding[]> {
  const operations = (await operationsOf(target)).filter(({ body }) => body?.type === "object");
  const alice = await settled(target, "s27@example.net");
  const random = seeded(27);
  const taken = new Set<string>();
  for (const operation of operations) {
    const { id, method, path, body } = operation;
    const place = path.replaceAll(/\{\w+\}/g, alice.ids[0] ?? "");
    for (const name of FOREIGN.filter((one) => !(one in (body?.properties ?? {})))) {
      const raw = JSON.stringify(
        withKey(valid(body, random) as object, name, name === "__proto__" ? { staff: true } : true),
      );
      const caller = WITHOUT_SESSION.includes(id) ? target.browser() : target.browser(alice.cookies);
      const { status } = await caller.call(method, place, { raw });
      if (status < 400 || status >= 500) taken.add(`${id} takes ${name}`);
    }
  }
  const rows = await target.sql`select 1 from identity.users where staff or locked_at is not null`;
  for (const one of taken) console.error(`S27: ${one}`);
  return [
    atMost(
      "S27",
      `operations that take a field that is none of theirs, of ${operations.length} times ${FOREIGN.length}`,
      taken.size,
      0,
    ),
    atMost("S27", "accounts that became staff by it", rows.length, 0),
  ];
}
