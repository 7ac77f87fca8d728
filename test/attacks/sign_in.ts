import { randomCode } from "../../src/identity/adapters/secrets/random_code.ts";
import { codeIn, PASSWORD } from "../e2e/api.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { count, halfWay, mailTo, nextIp, person, register, registration, type Target } from "./target.ts";

const PHC = "$argon2id$v=19$m=19456,t=2,p=1$";
const WRONG = "Wr0ng-Harbour-42";

/** S1: how passwords are stored, and the effect of a flood of log-ins. */
export async function storedPasswords(target: Target, { long }: Size): Promise<Finding[]> {
  const { sql } = target;
  await register(target, "s1@example.net");
  const old = await Bun.password.hash(PASSWORD, { algorithm: "argon2id", memoryCost: 8192, timeCost: 1 });
  await sql`update identity.users set password_hash = ${old} where email = 's1@example.net'`;
  await halfWay(target, "s1@example.net");
  const hashes = await sql`select password_hash from identity.users`;
  const tries = Array.from({ length: long ? 200 : 60 }, (_, number) =>
    target.browser().call("POST", "/api/login", { body: { email: `nobody${number}@example.net`, password: PASSWORD } }),
  );
  const answers = await Promise.all(tries);
  const isFair = (one: (typeof answers)[number]) =>
    one.status === 401 || (one.status === 503 && Number(one.headers.get("Retry-After")) > 0);
  return [
    atMost(
      "S1",
      "hashes with other parameters",
      count(hashes, ({ password_hash: hash }) => !hash.startsWith(PHC)),
      0,
    ),
    atLeast(
      "S1",
      "sign-ins of a flood that are refused with Retry-After, not queued",
      count(answers, ({ status }) => status === 503),
      1,
    ),
    atMost(
      "S1",
      `other answers to ${answers.length} sign-ins at once`,
      count(answers, (one) => !isFair(one)),
      0,
    ),
  ];
}

/** S2: lengths of passwords. */
export async function passwordLengths(target: Target): Promise<Finding[]> {
  const refusal = async (password: string) => {
    const { status, data } = await target.browser().call("POST", "/api/register", {
      body: registration("s2@example.net", password),
    });
    return `${status} ${(data.fields as Record<string, string> | undefined)?.password ?? ""}`;
  };
  const refused = [
    await refusal(`Aa1${"ü-".repeat(63)}`),
    await refusal(`Aa1${"x".repeat(30_000)}`),
    await refusal("Aa1-xyz"),
  ];
  const whole = `Q7${"ü!".repeat(63)}`;
  await register(target, "s2@example.net", whole);
  const cut = await target.browser().call("POST", "/api/login", {
    body: { email: "s2@example.net", password: `${whole.slice(0, -1)}?` },
  });
  const taken = await target
    .browser()
    .call("POST", "/api/login", { body: { email: "s2@example.net", password: whole } });
  const expected = ["422 PASSWORD_TOO_LONG", "422 PASSWORD_TOO_LONG", "422 PASSWORD_TOO_SHORT"];
  const wrong = count(refused, (one) => one !== expected[refused.indexOf(one)]);
  return [
    atMost("S2", "passwords of 7, 129 and 30,003 characters that are taken or wrongly refused", wrong, 0),
    atMost(
      "S2",
      "passwords of 128 characters that are cut, or refused",
      count([cut.status !== 401, taken.status !== 200], Boolean),
      0,
    ),
  ];
}

/** S3: which session a code belongs to, how often and how long it works; and that all are equally likely. */
export async function codes(target: Target, { long }: Size): Promise<Finding[]> {
  const { sql } = target;
  for (const email of ["s3@example.net", "s3b@example.net"]) await register(target, email);
  const mine = sql`(select id from identity.users where email in ('s3@example.net', 's3b@example.net'))`;
  const one = await halfWay(target, "s3@example.net");
  const other = await halfWay(target, "s3b@example.net");
  const foreign = await other.call("POST", "/api/verify-code", { body: { code: one.code } });
  const unmailed = await other.call("POST", "/api/resend-code");
  await sql`update identity.login_codes set sent_at = sent_at - interval '61 seconds' where account_id in ${mine}`;
  const from = target.smtp.received.length;
  const mailed = await other.call("POST", "/api/resend-code");
  const newer = codeIn((await mailTo(target, "s3b@example.net", /\b\d{6}\b/, from)).mail.text ?? "");
  const [kept] = await sql`select max(tries)::int as tries from identity.login_codes where account_id in ${mine}`;
  const former = await other.call("POST", "/api/verify-code", { body: { code: other.code } });
  const right = await other.call("POST", "/api/verify-code", { body: { code: newer } });
  const partial = new Map(one.cookies);
  await one.call("POST", "/api/verify-code", { body: { code: one.code } });
  const replayed = await target.browser(partial).call("POST", "/api/verify-code", { body: { code: one.code } });
  const late = await halfWay(target, "s3@example.net");
  await sql`update identity.login_codes set expires_at = now() - interval '1 second' where account_id in ${mine}`;
  const over = await late.call("POST", "/api/verify-code", { body: { code: late.code } });
  const accepted = [foreign, former, replayed, over].map(({ status }) => status === 200);
  const again = [unmailed.code !== "CODE_RESEND_TOO_SOON", mailed.status !== 200, right.status !== 200];
  return [
    atMost("S3", "codes of another account, replaced, used or late that are accepted", count(accepted, Boolean), 0),
    atMost("S3", "codes sent again too soon, or not at all", count(again, Boolean), 0),
    atLeast("S3", "wrong tries still counted after a new code", Number(kept?.tries), 1),
    // p 0.001; in the gate, which must not fail by chance, a millionth.
    atMost("S3", "chi-square of the codes' first two digits", chiSquare(long ? 200_000 : 20_000), long ? 148.2 : 185),
  ];
}

function chiSquare(codesMade: number): number {
  const found = new Array<number>(100).fill(0);
  for (let made = 0; made < codesMade; made++) {
    const code = randomCode();
    if (!/^\d{6}$/.test(code)) return Number.POSITIVE_INFINITY;
    const place = Number(code.slice(0, 2));
    found[place] = (found[place] ?? 0) + 1;
  }
  const expected = codesMade / 100;
  return found.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
}

/** S4: concurrent guesses, from everywhere, against both processes. */
export async function guessedCodes(target: Target, { long }: Size): Promise<Finding[]> {
  const { sql } = target;
  const email = "s4@example.net";
  await register(target, email);
  const evaluated = async () =>
    Number((await sql`select wrong_codes from identity.users where email = ${email}`)[0]?.wrong_codes);
  const burst = async (guesses: number) => {
    const started = await halfWay(target, email);
    const wrong = (number: number) => String((Number(started.code) + 1 + number) % 1_000_000).padStart(6, "0");
    const guess = (number: number) =>
      target.browser(new Map(started.cookies)).call("POST", "/api/verify-code", {
        body: { code: wrong(number) },
        process: number,
      });
    const answers = await Promise.all(Array.from({ length: guesses }, (_, number) => guess(number)));
    const right = await started.call("POST", "/api/verify-code", { body: { code: started.code } });
    return count([...answers, right], ({ status }) => status === 200);
  };
  const let1 = await burst(long ? 200 : 60);
  const first = await evaluated();
  let let2 = 0;
  for (let round = 0; round < 3; round++) let2 += await burst(8);
  const inAnHour = await evaluated();
  await sql`update identity.users set wrong_codes = 100 where email = ${email}`;
  const shut = await target.browser().call("POST", "/api/login", { body: { email, password: PASSWORD } });
  return [
    atMost("S4", "guesses at one code that were looked at, of many at once on two processes", first, 5),
    atMost("S4", "guesses at an account's codes that were looked at within the hour", inAnHour, 10),
    atMost("S4", "guesses, and right codes after too many of them, that were accepted", let1 + let2, 0),
    atMost("S4", "sign-ins after 100 wrong codes in a row", Number(shut.code !== "PASSWORD_RESET_REQUIRED"), 0),
  ];
}

/** S5: locks, for known and unknown accounts alike, and the owner who can still log in. */
export async function locks(target: Target): Promise<Finding[]> {
  const owner = await person(target, "s5@example.net");
  const login = (email: string, password: string) =>
    target.browser().call("POST", "/api/login", { body: { email, password } });
  const wrongs = async (email: string) => {
    for (let tried = 0; tried < 10; tried++) await login(email, WRONG);
    return login(email, email === owner.email ? PASSWORD : WRONG);
  };
  const [known, unknown] = [await wrongs(owner.email), await wrongs("s5-nobody@example.net")];
  const plain = ({ text }: typeof known) => text.replace(/"retryAfter":\d+/, "");
  const off = (answer: typeof known) => Math.abs(Number(answer.headers.get("Retry-After")) - 3600);
  const fromHome = await owner.call("POST", "/api/login", { body: { email: owner.email, password: PASSWORD } });
  const one = target.browser();
  for (let tried = 0; tried < 10; tried++)
    await one.call("POST", "/api/login", { body: { email: `s5-${tried}@example.net`, password: WRONG } });
  const sprayed = await one.call("POST", "/api/login", {
    body: { email: "s5-x@example.net", password: WRONG },
    process: 1,
  });
  const open = [known, unknown, sprayed].map(({ code }) => code !== "LOCKED");
  return [
    atMost(
      "S5",
      "doors open after ten wrong passwords, of an account, of nobody, of a network address",
      count(open, Boolean),
      0,
    ),
    atMost("S5", "seconds that a lock is off an hour", Math.max(off(known), off(unknown)), 2),
    atMost("S5", "locks that tell whether there is an account", Number(plain(known) !== plain(unknown)), 0),
    atMost("S5", "owners whom strangers locked out of their own browser", Number(fromHome.status !== 200), 0),
  ];
}

/** S6: headers in which a client claims other addresses. */
export async function spoofedAddresses(target: Target, { long }: Size): Promise<Finding[]> {
  const one = target.browser();
  const guess = (number: number) => {
    const forged = number % 3 === 0 ? `2001:db8::${number.toString(16)}` : nextIp();
    return one.call("POST", "/api/login", {
      body: { email: `s6-${number}@example.net`, password: WRONG },
      headers: {
        "X-Forwarded-For": number % 4 === 0 ? `${forged}, 127.0.0.1, ${one.ip}` : `unknown, ${forged}, ${one.ip}`,
        "X-Real-IP": forged,
        Forwarded: `for=${forged}`,
        "True-Client-IP": forged,
        "CF-Connecting-IP": forged,
      },
      process: number,
    });
  };
  for (let number = 0; number < 10; number++) await guess(number);
  let more = 0;
  const guesses = long ? 10_000 : 200;
  for (let number = 0; number < guesses; number++) more += Number((await guess(number)).code !== "LOCKED");
  return [atMost("S6", `guesses beyond ten, of ${guesses} with forged addresses`, more, 0)];
}

/** S7: the responses for known and unknown accounts. */
export async function enumeration(target: Target): Promise<Finding[]> {
  await person(target, "s7@example.net");
  const asked = async (path: string, email: string, more: object = {}) => {
    const { status, text, headers } = await target.browser().call("POST", path, { body: { email, ...more } });
    const names = [...headers.keys()].toSorted().join();
    return JSON.stringify([status, text.replaceAll(email, "EMAIL"), names]);
  };
  const differs = async (path: string, more?: object) =>
    (await asked(path, "s7@example.net", more)) !== (await asked(path, "s7-nobody@example.net", more));
  const told = [await differs("/api/login", { password: WRONG }), await differs("/api/forgot-password")];
  const again = target.browser();
  const answers = [];
  for (let tried = 0; tried < 11; tried++)
    answers.push(await again.call("POST", "/api/register", { body: registration("s7@example.net") }));
  return [
    atMost(
      "S7",
      "answers to sign-in and forgotten password that tell whether there is an account",
      count(told, Boolean),
      0,
    ),
    atMost(
      "S7",
      "registrations of one network address that tell of an account",
      count(answers, ({ status }) => status !== 429),
      10,
    ),
  ];
}
