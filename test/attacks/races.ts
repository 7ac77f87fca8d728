import { atLeast, atMost, type Finding, secondsUntil } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { count, mailTo, person, registration, type Target, tokenIn, tracked } from "./target.ts";

/** S23: more concurrent addresses than the plan has, on two processes. */
export async function planCap(target: Target, { long }: Size): Promise<Finding[]> {
  let off = 0;
  let errors = 0;
  const rounds = long ? 20 : 2;
  for (let round = 0; round < rounds; round++) {
    const alice = await person(target, `s23-${round}@example.net`);
    const cap = Number((await alice.call("GET", "/api/subscription")).data.cap);
    const tries = Array.from({ length: 50 }, (_, number) =>
      alice.call("POST", "/api/associations", {
        body: tracked(`s23-${round}-${number}@example.org`, false, alice.email),
        process: number,
      }),
    );
    const answers = await Promise.all(tries);
    const [rows] =
      await target.sql`select count(*)::int as count from tracking.association where account_id = ${alice.id}`;
    off += Math.abs(Number(rows?.count) - cap) + Math.abs(count(answers, ({ status }) => status === 201) - cap);
    errors += count(answers, ({ status }) => status >= 500);
  }
  return [
    atMost("S23", `addresses more or less than the cap, ${rounds} times 50 at once on two processes`, off, 0),
    atMost("S23", "answers with 5xx to them", errors, 0),
  ];
}

/** S24: one email in six spellings. */
export async function oneEmail(target: Target): Promise<Finding[]> {
  const spellings = [
    "s24@bücher.example",
    "S24@BÜCHER.example",
    "s24@bu\u0308cher.example",
    "s24@xn--bcher-kva.example",
    " s24@bücher.example ",
    "ｓ２４@bücher.example",
  ];
  const tries = Array.from({ length: 50 }, (_, number) =>
    target.browser().call("POST", "/api/register", {
      body: registration(spellings[number % spellings.length] ?? ""),
      process: number,
    }),
  );
  const answers = await Promise.all(tries);
  const rows = await target.sql`select email from identity.users where email like 's24@%'`;
  const isTaken = ({ data }: (typeof answers)[number]) =>
    (data.fields as { email?: string } | undefined)?.email === "EMAIL_TAKEN" || data.code === "EMAIL_TAKEN";
  // A full hashing queue is reported, with the seconds to wait.
  const isBusy = ({ status, headers }: (typeof answers)[number]) => status === 503 && headers.has("Retry-After");
  const others = answers.filter((one) => one.status !== 201 && !isTaken(one) && !isBusy(one));
  return [
    // A later registration may replace an earlier, unverified one.
    atMost("S24", "accounts of 50 registrations at once in six spellings", rows.length, 1),
    atLeast(
      "S24",
      "registrations that are told that it worked",
      count(answers, ({ status }) => status === 201),
      1,
    ),
    atMost("S24", "other answers than that the email is taken, or to wait", others.length, 0),
  ];
}

/** S25: one consent request, answered concurrently many times and differently. */
export async function oneAnswer(target: Target, { long }: Size): Promise<Finding[]> {
  let off = 0;
  let strange = 0;
  const rounds = long ? 50 : 2;
  for (let round = 0; round < rounds; round++) {
    const alice = await person(target, `s25-${round}@example.net`);
    const ward = `s25-ward-${round}@example.org`;
    const { status, text } = await alice.call("POST", "/api/associations", {
      body: tracked(ward, false, alice.email),
    });
    if (status !== 201) throw new Error(`Cannot track ${ward}: ${text}`);
    const token = tokenIn(await mailTo(target, ward, /manage-invitation#t=/));
    const [row] = await target.sql`select id from invitations.invitation where address = ${ward}`;
    const owner = target.browser();
    const ways = [
      () => owner.call("POST", "/api/invitation-links/accept", { body: { token, details: true, sensitive: false } }),
      () => owner.call("POST", "/api/invitation-links/decline", { body: { token, block: false }, process: 1 }),
      () => alice.call("POST", `/api/invitations/${row?.id}/cancel`, { process: 1 }),
    ];
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, number) => (ways[number % 3] as () => ReturnType<typeof owner.call>)()),
    );
    const acts =
      await target.sql`select act from invitations.consent_record where invitation_id = ${row?.id} and act <> 'asked'`;
    off += Math.abs(count(answers, ({ status }) => status === 200) - 1) + Math.abs(acts.length - 1);
    strange += count(
      answers,
      ({ status, code }) => status !== 200 && !["INVITATION_INVALID", "NOT_FOUND"].includes(code),
    );
  }
  return [
    atMost("S25", `winners and records more or less than one, ${rounds} times 50 answers at once`, off, 0),
    atMost("S25", "losers that are told something else than that it is settled", strange, 0),
  ];
}

/** S22: what was withdrawn is gone, on the other process too. */
export async function withdrawn(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s22@example.net");
  const ward = "ada@example.com";
  await alice.call("POST", "/api/associations", { body: tracked(ward, false, alice.email) });
  const token = tokenIn(await mailTo(target, ward, /manage-invitation#t=/));
  const owner = target.browser();
  const agreement = { token, details: true, sensitive: true };
  const accepted = await owner.call("POST", "/api/invitation-links/accept", { body: agreement });
  const looks = async () => {
    const monitored = await alice.call("GET", `/api/monitoring?child_email=${ward}`, { process: 1 });
    const alerts = await alice.call("GET", "/api/alerts", { process: 1 });
    return { isMonitored: monitored.status === 200, alerts: Number(alerts.data.total) };
  };
  const seen = await secondsUntil(async () => (await looks()).alerts > 0, 30_000);
  const refusal = { token: accepted.data.manageToken, block: false };
  const ended = await owner.call("POST", "/api/invitation-links/withdraw", { body: refusal });
  const after = await looks();
  return [
    atMost(
      "S22",
      "watched addresses whose alerts never came, or whose owner could not withdraw",
      count([!Number.isFinite(seen.seconds), ended.status !== 200], Boolean),
      0,
    ),
    atMost(
      "S22",
      "alerts and addresses that the next request, to the other process, still shows",
      after.alerts + Number(after.isMonitored),
      0,
    ),
  ];
}
