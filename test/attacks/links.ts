import { connect } from "node:net";
import { PASSWORD } from "../e2e/api.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import {
  type Answer,
  count,
  halfWay,
  mailTo,
  type Person,
  PUBLIC_URL,
  person,
  type Target,
  tokenIn,
  tracked,
} from "./target.ts";

const OTHER = "Quiet-Meadow-77";
const RESET = /reset-password#t=/;

async function resetToken(target: Target, email: string): Promise<string> {
  const from = target.smtp.received.length;
  await target.browser().call("POST", "/api/forgot-password", { body: { email } });
  const token = tokenIn(await mailTo(target, email, RESET, from));
  target.secrets.add(token);
  return token;
}

const reset = (target: Target, token: string, password: string, process = 0): Promise<Answer> =>
  target
    .browser()
    .call("POST", "/api/reset-password", { body: { token, password, confirmPassword: password }, process });

/** S12: a password reset link. */
export async function resetLinks(target: Target, { long }: Size): Promise<Finding[]> {
  const alice = await person(target, "s12@example.net");
  const older = await resetToken(target, alice.email);
  const token = await resetToken(target, alice.email);
  const stale = await reset(target, older, OTHER);
  const same = await reset(target, token, PASSWORD);
  const from = target.smtp.received.length;
  const tries = await Promise.all(
    Array.from({ length: long ? 50 : 16 }, (_, number) => reset(target, token, OTHER, number)),
  );
  target.secrets.add(OTHER);
  const notice = await mailTo(target, alice.email, /password/i, from).then(() => 1);
  const session = await alice.call("GET", "/api/me");
  const started = await halfWay(target, alice.email, OTHER);
  const level = await started.call("GET", "/api/check-user-authentication/");
  const entered = tries.filter(({ headers }) => headers.getSetCookie().length > 0);
  const taken = [stale.status === 200, same.code !== "PASSWORD_UNCHANGED", session.status !== 401];
  return [
    atMost(
      "S12",
      "uses of an older link, of the old password, of a session from before that pass",
      count(taken, Boolean),
      0,
    ),
    atMost(
      "S12",
      `second uses of one link, of ${tries.length} at once on two processes`,
      Math.abs(count(tries, ({ status }) => status === 200) - 1),
      0,
    ),
    atMost(
      "S12",
      "new passwords that sign in, or spare the second step",
      entered.length + Number(level.data.auth_level !== "partial"),
      0,
    ),
    atLeast("S12", "mails that tell of the new password", notice, 1),
  ];
}

async function contactLinks(target: Target, alice: Person): Promise<{ question: string; confirmation: string }> {
  const ward = `ward-of-${alice.email}`;
  const friend = `friend-of-${alice.email}`;
  await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, friend) });
  await alice.call("POST", "/api/associations", { body: tracked(ward, false, alice.email) });
  const confirmation = tokenIn(await mailTo(target, friend, /manage-contact#t=/));
  const question = tokenIn(await mailTo(target, ward, /manage-invitation#t=/));
  for (const token of [confirmation, question]) target.secrets.add(token);
  return { question, confirmation };
}

/** S13: expired data is ignored by queries, even before any job has deleted it. */
export async function expiredTokens(target: Target): Promise<Finding[]> {
  const { sql } = target;
  const alice = await person(target, "s13@example.net");
  const made = await alice.call("POST", "/api/tokens", { body: { name: "Script", scopes: ["alerts:read"], days: 30 } });
  const program = String(made.data.token);
  target.secrets.add(program);
  const { question, confirmation } = await contactLinks(target, alice);
  const link = await resetToken(target, alice.email);
  await alice.call("POST", "/api/profile/email", { body: { email: "s13-new@example.net" } });
  const change = tokenIn(await mailTo(target, "s13-new@example.net", /#t=/));
  const visitor = target.browser();
  const uses = async () => [
    await visitor.call("POST", "/api/invitation-links/inspect", { body: { token: question } }),
    await visitor.call("POST", "/api/contact-links/inspect", { body: { token: confirmation } }),
    await visitor.call("POST", "/api/reset-password/check", { body: { token: link } }),
    await visitor.call("POST", "/api/email-change/inspect", { body: { token: change } }),
    await visitor.call("GET", "/api/alerts", { headers: { Authorization: `Bearer ${program}` } }),
    await alice.call("GET", "/api/me"),
  ];
  const before = await uses();
  const past = sql`now() - interval '1 second'`;
  await sql`update invitations.invitation set expires_at = ${past} where inviter_id = ${alice.id}`;
  await sql`update notifications.contact set confirm_expires_at = ${past} where account_id = ${alice.id}`;
  for (const table of ["reset_tokens", "email_changes", "api_tokens", "sessions"])
    await sql`update identity.${sql(table)} set expires_at = ${past} where account_id = ${alice.id}`;
  const after = await uses();
  return [
    atLeast(
      "S13",
      "kinds of tokens that work in their time",
      count(before, ({ status }) => status === 200),
      6,
    ),
    atMost(
      "S13",
      "kinds of tokens that work after their time, with nothing cleaned up",
      count(after, ({ status }) => status === 200),
      0,
    ),
  ];
}

/** A raw request, byte by byte. */
export function rawRequest(
  { products }: { products: { url: string }[] },
  text: string | Buffer,
  quietMs = 2000,
): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>();
  let said = "";
  const socket = connect(Number(new URL(products[0]?.url ?? "").port), "127.0.0.1", () => socket.write(text));
  socket.setTimeout(quietMs, () => socket.destroy());
  socket.on("data", (bytes) => {
    said += bytes.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.on("close", () => resolve(said));
  return promise;
}

const EVIL = "evil.example";
/** Places from which a host might be taken. */
const FORGED: { line: string; headers: string[] }[] = [
  { line: "/api/forgot-password", headers: [`Host: ${EVIL}`] },
  { line: `https://${EVIL}/api/forgot-password`, headers: [`Host: ${EVIL}`] },
  {
    line: "/api/forgot-password",
    headers: [
      ...["Host: breachbell.example", `X-Forwarded-Host: ${EVIL}`, `Forwarded: host=${EVIL};proto=http`],
      ...[`X-Host: ${EVIL}`, `X-Original-Host: ${EVIL}`, `X-Forwarded-Server: ${EVIL}`, `X-Rewrite-URL: //${EVIL}/`],
      ...[`Referer: https://${EVIL}/`, "X-Forwarded-Proto: http", "X-Forwarded-Port: 81"],
    ],
  },
];

/** S14: links use the configured URL only. */
export async function forgedHosts(target: Target, { long }: Size): Promise<Finding[]> {
  const email = "s14@example.net";
  await person(target, email);
  await resetToken(target, email);
  const plain = (text = "") => text.replaceAll(/#t=[\w.-]+/g, "#t=TOKEN");
  const honest = plain((await mailTo(target, email, RESET)).mail.text);
  const body = JSON.stringify({ email });
  let changed = 0;
  const rounds = long ? 10 : 1;
  for (let round = 0; round < rounds; round++)
    for (const { line, headers } of FORGED) {
      await target.sql`delete from identity.attempts where key like 'resetMail:%'`;
      const from = target.smtp.received.length;
      const more = [
        `Origin: ${PUBLIC_URL}`,
        "Content-Type: application/json",
        `Content-Length: ${body.length}`,
        "Connection: close",
      ];
      const said = await rawRequest(
        target,
        `POST ${line} HTTP/1.1\r\n${[...headers, ...more].join("\r\n")}\r\n\r\n${body}`,
      );
      // A refusal is fine too.
      if (!said.startsWith("HTTP/1.1 200")) continue;
      changed += Number(plain((await mailTo(target, email, RESET, from)).mail.text) !== honest);
    }
  return [atMost("S14", `mails that ${FORGED.length * rounds} requests with forged hosts have changed`, changed, 0)];
}
