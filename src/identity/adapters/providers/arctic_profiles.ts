import { decodeIdToken } from "arctic";
import * as v from "valibot";
import { fail, ok, type Result } from "../../../shared/result.ts";
import type { ProviderProfile } from "../../sign_in/provider_ports.ts";
import type { Answer } from "./arctic_http.ts";

export type Identified = Result<ProviderProfile, "PROVIDER_REFUSED" | "PROVIDER_UNAVAILABLE">;

/** What the functions below need: the tokens of one visit, and what they must match. */
export type Visit = {
  tokens: { id_token?: string | undefined; access_token?: string | undefined };
  nonce: string;
  clientId: string;
  /** The token's issuer, or for GitHub the URL of its API. */
  issuer: string;
  now: Date;
  get(url: string, accessToken: string): Promise<Answer>;
  /** A failure that is reported to the operator. */
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

/** First and last name, where the provider has them; else the first word of the name and the rest. */
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
 * The claims of an id_token that was issued for us and this visit and has not expired. Its signature is not checked: it came
 * directly from the token endpoint over TLS, which OpenID Connect Core 3.1.3.7 (6) allows instead. That is why the configuration
 * allows plain http only to this machine.
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
  // Google's documentation allows the issuer with and without the scheme.
  const issuers = [visit.issuer, visit.issuer.replace(/^https:\/\//, "")];
  if (!claims || !issuers.includes(claims.iss)) return fail("PROVIDER_REFUSED");
  const { sub: subject, email } = claims;
  return ok({ subject, email: email ?? "", emailVerified: claims.email_verified === true, ...namesOf(claims) });
}

/** Its email is never trusted: a tenant's administrator can write any email, and anybody can create a tenant. */
export async function microsoftProfile(visit: Visit): Promise<Identified> {
  const claims = claimsOf(microsoftClaims, visit);
  if (!claims || claims.iss !== visit.issuer.replace("{tenantid}", claims.tid)) return fail("PROVIDER_REFUSED");
  const { tid, oid, email } = claims;
  return ok({ subject: `${tid}:${oid}`, email: email ?? "", emailVerified: false, ...namesOf(claims) });
}

/** GitHub has no id_token: its API is called with the access token. */
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
