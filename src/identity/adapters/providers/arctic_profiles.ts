import { decodeIdToken } from "arctic";
import * as v from "valibot";
import { fail, ok, type Result } from "../../../shared/result.ts";
import type { ProviderProfile } from "../../sign_in/provider_ports.ts";
import type { Answer } from "./arctic_http.ts";

export type Identified = Result<ProviderProfile, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">;

/** What the readers below may use: the tokens of one visit, and what they must fit. */
export type Visit = {
  tokens: { id_token?: string | undefined; access_token?: string | undefined };
  nonce: string;
  clientId: string;
  /** Who signs, or for GitHub where its API is. */
  issuer: string;
  now: Date;
  get(url: string, accessToken: string): Promise<Answer>;
  /** The operator should know. */
  unavailable(reason: string): Identified;
};

const LONGEST_NAME = 60;
const text = v.nullish(v.pipe(v.string(), v.trim()));

const idClaims = v.object({
  iss: v.string(),
  aud: v.string(),
  exp: v.number(),
  nonce: v.string(),
  email: text,
  name: text,
  given_name: text,
  family_name: text,
});
const googleClaims = v.object({
  ...idClaims.entries,
  sub: v.pipe(v.string(), v.nonEmpty()),
  email_verified: v.optional(v.unknown()),
});
const microsoftClaims = v.object({
  ...idClaims.entries,
  tid: v.pipe(v.string(), v.uuid()),
  oid: v.pipe(v.string(), v.uuid()),
});
const githubUser = v.object({ id: v.pipe(v.number(), v.safeInteger(), v.minValue(1)), name: text });
const githubEmails = v.array(v.object({ email: v.string(), primary: v.boolean(), verified: v.boolean() }));

/** First and last name, where it tells them; else the first word of the name and the rest. */
function namesOf(person: {
  given_name?: string | null | undefined;
  family_name?: string | null | undefined;
  name?: string | null | undefined;
}) {
  const [first = "", ...others] = (person.name ?? "").split(/\s+/);
  const firstName = (person.given_name || first).slice(0, LONGEST_NAME);
  const lastName = (person.given_name ? (person.family_name ?? "") : others.join(" ")).slice(0, LONGEST_NAME);
  return { ...(firstName && { firstName }), ...(lastName && { lastName }) };
}

/**
 * The claims of an id_token that is for us, from this visit and still good. Its signature is not checked: it came
 * straight from the token endpoint over TLS, which OpenID Connect Core 3.1.3.7 (6) takes in its place. That is why the
 * configuration allows no plain http beyond this machine.
 */
function claimsOf<Schema extends v.GenericSchema<unknown, v.InferOutput<typeof idClaims>>>(
  schema: Schema,
  { tokens, nonce, clientId, now }: Visit,
): v.InferOutput<Schema> | undefined {
  try {
    const { success, output } = v.safeParse(schema, decodeIdToken(tokens.id_token ?? ""));
    if (!success) return undefined;
    const isOurs = output.aud === clientId && output.nonce === nonce && output.exp * 1000 > now.getTime();
    return isOurs ? output : undefined;
  } catch {
    return undefined;
  }
}

export async function googleProfile(visit: Visit): Promise<Identified> {
  const claims = claimsOf(googleClaims, visit);
  // Google's documentation leaves open whether the scheme is there.
  const issuers = [visit.issuer, visit.issuer.replace(/^https:\/\//, "")];
  if (!claims || !issuers.includes(claims.iss)) return fail("PROVIDER_REFUSED");
  const { sub: subject, email } = claims;
  return ok({ subject, email: email ?? "", emailVerified: claims.email_verified === true, ...namesOf(claims) });
}

/** Its email is whatever the administrator of a tenant wrote there, and a tenant is free for everybody: never trusted. */
export async function microsoftProfile(visit: Visit): Promise<Identified> {
  const claims = claimsOf(microsoftClaims, visit);
  if (!claims || claims.iss !== visit.issuer.replace("{tenantid}", claims.tid)) return fail("PROVIDER_REFUSED");
  const { tid, oid, email } = claims;
  return ok({ subject: `${tid}:${oid}`, email: email ?? "", emailVerified: false, ...namesOf(claims) });
}

/** GitHub knows no id_token: it is asked, with the token that the code was good for. */
export async function githubProfile({ tokens, issuer, get, unavailable }: Visit): Promise<Identified> {
  const { access_token: accessToken } = tokens;
  if (accessToken === undefined) return fail("PROVIDER_REFUSED");
  const [user, emails] = await Promise.all([
    get(`${issuer}/user`, accessToken),
    get(`${issuer}/user/emails`, accessToken),
  ]);
  for (const answer of [user, emails]) {
    if (!answer.ok) return unavailable(answer.reason);
    if (answer.status !== 200) return unavailable(`its API answered with the status ${answer.status}`);
  }
  const person = v.safeParse(githubUser, user.ok && user.body);
  const addresses = v.safeParse(githubEmails, emails.ok && emails.body);
  if (!person.success || !addresses.success) return unavailable("its API answered in another form");
  const primary = addresses.output.find((address) => address.primary);
  const subject = String(person.output.id);
  return ok({
    subject,
    email: primary?.email ?? "",
    emailVerified: primary?.verified === true,
    ...namesOf(person.output),
  });
}
