import { PASSWORD } from "../e2e/api.ts";
import { eventually, nothingWaits } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { type Browser, count, halfWay, person, type Target, tracked } from "./target.ts";

const COOKIE = "__Host-session";
const OTHER = "Quiet-Meadow-77";
const copyOf = (target: Target, { cookies }: Browser): Browser => target.browser(new Map(cookies));

/** S9: a new token at every change of level, and one session for one code. */
export async function fixation(target: Target): Promise<Finding[]> {
  const email = "s9@example.net";
  await person(target, email);
  const planted = "planted-by-somebody-else-0123456789abcdefgh";
  const victim = target.browser(new Map([[COOKIE, planted]]));
  await victim.call("POST", "/api/login", { body: { email, password: PASSWORD } });
  const adopted = victim.cookies.get(COOKIE) === planted;
  const started = await halfWay(target, email);
  const partial = copyOf(target, started);
  const verified = await Promise.all(
    Array.from({ length: 50 }, (_, number) =>
      copyOf(target, started).call("POST", "/api/verify-code", { body: { code: started.code }, process: number }),
    ),
  );
  const again = await partial.call("GET", "/api/sign-in");
  return [
    atMost("S9", "planted or risen tokens that stay good", count([adopted, again.status === 200], Boolean), 0),
    atMost(
      "S9",
      "sessions too many or too few of 50 uses of one code at once",
      Math.abs(count(verified, ({ status }) => status === 200) - 1),
      0,
    ),
  ];
}

/** S11: what ends a session ends it for the next request of every process. */
export async function endedSessions(target: Target): Promise<Finding[]> {
  const email = "s11@example.net";
  const alice = await person(target, email);
  const elsewhere = async () => {
    const started = await halfWay(target, email);
    await started.call("POST", "/api/verify-code", { body: { code: started.code } });
    return started;
  };
  const isOpen = async (browser: Browser) => (await browser.call("GET", "/api/me", { process: 1 })).status === 200;
  const open: boolean[] = [];
  const works: boolean[] = [];
  const second = await elsewhere();
  works.push(await isOpen(second));
  await alice.call("POST", "/api/sessions/end-others");
  open.push(await isOpen(second));
  const third = await elsewhere();
  works.push(await isOpen(third));
  await third.call("POST", "/api/confirm-password", { body: { password: PASSWORD } });
  const changed = await third.call("PUT", "/api/profile/password", {
    body: { password: OTHER, confirmPassword: OTHER },
  });
  open.push(await isOpen(alice));
  works.push(changed.status === 200 && (await isOpen(third)));
  const copy = copyOf(target, third);
  await third.call("POST", "/api/logout");
  open.push(await isOpen(copy));
  const last = await halfWay(target, email, OTHER);
  await last.call("POST", "/api/verify-code", { body: { code: last.code } });
  const kept = copyOf(target, last);
  const gone = await last.call("POST", "/api/profile/delete", { body: { password: OTHER } });
  open.push(gone.status !== 200 || (await isOpen(kept)));
  target.secrets.add(OTHER);
  return [
    atLeast("S11", "sessions that work before", count(works, Boolean), 3),
    atMost(
      "S11",
      "sessions open on the other process after ending others, a new password, signing out, deletion",
      count(open, Boolean),
      0,
    ),
  ];
}

/** Critical changes, as attempted on an unattended screen. */
const HARD_TO_UNDO: [method: string, path: string, body?: unknown][] = [
  ["PUT", "/api/profile/password", { password: OTHER, confirmPassword: OTHER }],
  ["POST", "/api/profile/email", { email: "s16-new@example.net" }],
  ["POST", "/api/profile/export"],
  ["POST", "/api/factors/authenticator"],
  ["POST", "/api/factors/authenticator/confirm", { code: "123456" }],
  ["DELETE", "/api/factors/authenticator"],
  ["POST", "/api/factors/passkeys/options"],
  ["POST", "/api/factors/recovery-codes"],
  ["DELETE", "/api/providers/google"],
  ["POST", "/api/tokens", { name: "Script", scopes: ["alerts:read"], days: 30 }],
  ["POST", "/api/portal"],
];

/** S16: reauthentication. */
export async function freshPassword(target: Target, { long }: Size): Promise<Finding[]> {
  const alice = await person(target, "s16@example.net");
  await target.sql`update identity.sessions set confirmed_at = now() - interval '15 minutes 1 second' where account_id = ${alice.id}`;
  let passed = 0;
  for (const [method, path, body] of HARD_TO_UNDO) {
    const { code } = await alice.call(method, path, body === undefined ? {} : { body });
    passed += Number(code !== "REAUTHENTICATION_REQUIRED");
  }
  const gone = await alice.call("POST", "/api/profile/delete", { body: { password: "Wr0ng-Harbour-42" } });
  return [
    atMost("S16", `acts that go on without a password typed lately, of ${HARD_TO_UNDO.length}`, passed, 0),
    atMost("S16", "deletions with a wrong password", Number(gone.status === 200), 0),
    ...(await lastContact(target, long ? 20 : 3)),
  ];
}

/** Contact lists that would leave no contact. */
const NOBODY = [{}, { email: [] }, { email: [""] }, { email: [" "] }, { telegram: [] }, { fax: ["1"] }, [], null];

/**
 * S16: the last contact of an address needs no password, as it cannot be removed, not even by two concurrent removals.
 */
async function lastContact(target: Target, rounds: number): Promise<Finding[]> {
  const alice = await person(target, "s16-contacts@example.net");
  const both = [alice.email, "s16-other@example.net"];
  const made = await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, alice.email) });
  const path = `/api/associations/${made.data.id}`;
  const tell = (contacts: unknown, process = 0) =>
    alice.call("PUT", path, { body: { owner: true, language: "en", contacts, paused: false }, process });
  const remove = (id: string, process: number) => alice.call("DELETE", `/api/contacts/${id}`, { process });
  const known = async () =>
    ((await alice.call("GET", "/api/contacts")).data.items as { id: string; value: string; usedBy: unknown[] }[])
      .filter(({ usedBy }) => usedBy.length > 0)
      .toSorted((one, other) => both.indexOf(one.value) - both.indexOf(other.value));
  let bare = 0;
  const look = async () => {
    const [row] = await target.sql`select jsonb_array_length(contacts) as left from tracking.association
      where id = ${String(made.data.id)}`;
    bare += Number(Number(row?.left ?? 0) === 0);
  };
  let removals = 0;
  let doubled = 0;
  for (let round = 0; round < rounds; round++) {
    await tell({ email: both });
    const [own, other] = await eventually("both contacts", async () => {
      const found = await known();
      return found.length === 2 ? found : undefined;
    });
    if (!own || !other) throw new Error("Cannot remove contacts: they are not there");
    // Concurrently: both contacts, or one of them while the settings remove the other.
    const isBoth = round % 2 === 0;
    const second = isBoth ? remove(other.id, 1) : tell({ email: [own.value] }, 1);
    const done = count(await Promise.all([remove(own.id, 0), second]), ({ status }) => status === 200);
    removals += done;
    doubled += Number(isBoth && done === 2);
    await look();
  }
  await tell({ email: [alice.email] });
  const [last] = await eventually("the last contact", async () => {
    const found = await known();
    return found.length === 1 && found[0]?.value === alice.email ? found : undefined;
  });
  const refused = [await remove(last?.id ?? "", 0)];
  for (const contacts of NOBODY) refused.push(await tell(contacts));
  await look();
  const passed = count(refused, ({ status }) => status < 400);
  return [
    atLeast("S16", `removals of one of two contacts, ${rounds} times two at once`, removals, rounds),
    atMost("S16", "pairs of removals at once that both went through", doubled, 0),
    atMost("S16", `removals of the last contact of an address, of ${refused.length} ways`, passed, 0),
    atMost("S16", "times that an address had no contact", bare, 0),
  ];
}

/** The forms a value can have in a line: plain, URL-encoded, in base64, in hex. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    encodeURIComponent(secret),
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
  ];
}

/** All rows of all tables, and their text. */
async function dumpOf({ sql }: Target): Promise<{ rows: string[]; texts: string[] }> {
  const tables = await sql`select table_schema as schema, table_name as name from information_schema.tables
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`;
  const [rows, texts]: [string[], string[]] = [[], []];
  const keep = (value: unknown): void => {
    if (typeof value === "string") texts.push(value);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(keep);
  };
  for (const { schema, name } of tables) {
    for (const {
      row,
      fields,
    } of await sql`select t::text as row, to_jsonb(t) as fields from ${sql(`${schema}.${name}`)} as t`) {
      rows.push(String(row));
      keep(fields);
    }
  }
  return { rows, texts };
}

/** S8: after a whole run neither the database nor the logs contain a usable secret. */
export async function restingSecrets(target: Target): Promise<Finding[]> {
  const { products, secrets, smtp } = target;
  await nothingWaits(products[0]?.url ?? "");
  const logs = products.map((product) => product.output());
  const { rows, texts } = await dumpOf(target);
  const hay = [...rows, ...logs].join("\n");
  // Among numbers, such as how many accounts a breach affects, six digits occur by chance.
  const words = [...texts, ...logs].join("\n");
  const mails = smtp.received.map(({ mail }) => mail.text ?? "");
  const tokens = mails.flatMap((text) => [...text.matchAll(/#t=([\w.-]{16,})/g)].map(([, token = ""]) => token));
  const codes = mails.flatMap((text) => text.match(/\b\d{6}\b/g) ?? []);
  const all = [...new Set([...secrets, ...tokens])];
  const found = all.filter((secret) => formsOf(secret).some((form) => hay.includes(form)));
  const clear = codes.filter((code) => new RegExp(`(?<![\\w.:-])${code}(?![\\w.:-])`).test(words));
  return [
    atLeast("S8", "secrets of the run that are looked for", all.length + codes.length, 40),
    atMost("S8", "passwords and tokens of the run in the dump or the logs, in any of five forms", found.length, 0),
    atMost("S8", "mailed codes in a text of the dump, or in the logs", clear.length, 0),
  ];
}
