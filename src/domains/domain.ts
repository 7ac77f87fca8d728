import type { Language } from "../shared/language.ts";

/**
 * How the holder of a domain proves it: a TXT record, a file or a meta tag that stays in place, or a code sent to a mailbox that
 * only its holder reads.
 */
export const PROOFS = ["dns", "file", "meta", "mail"] as const;
export type Proof = (typeof PROOFS)[number];

/** The mailboxes that can receive the code: those that Have I Been Pwned offers (RFC 2142 names them). */
export const PROOF_MAILBOXES = ["security", "hostmaster", "postmaster", "webmaster"] as const;
export type ProofMailbox = (typeof PROOF_MAILBOXES)[number];

/**
 * `pending`: not proven yet; `waiting`: proven while someone else holds the same domain, so it takes effect later; `failing`: the
 * proof has disappeared, and the claim ends unless it returns; `ended`: it did not return.
 */
export const DOMAIN_STATES = ["pending", "waiting", "proven", "failing", "ended"] as const;
export type DomainState = (typeof DOMAIN_STATES)[number];

/** When the administrator is told of new findings. */
export const DIGESTS = ["off", "daily", "at_once"] as const;
export type Digest = (typeof DIGESTS)[number];

/** What an administrator may change. */
export type DomainSettings = {
  /** Every address at the domain reaches one mailbox: unknown ones are aliases, whose owners are not told. */
  catchAll: boolean;
  /** Sensitive breaches of role mailboxes are shown. */
  roleSensitive: boolean;
  digest: Digest;
  /** People are told of new findings of their own addresses. */
  tellPeople: boolean;
  /** The language of mails to people without an account. */
  language: Language;
};

/** One account's claim to a domain. */
export type Domain = DomainSettings & {
  id: string;
  accountId: string;
  /** ASCII, lower case. */
  name: string;
  proof: Proof;
  /** Of a proof by mail. */
  mailbox: ProofMailbox | undefined;
  /** Published by the holder, so it is no secret. */
  token: string;
  /** Keyed hash of the mailed code. */
  codeHash: string | undefined;
  codeExpiresAt: Date | undefined;
  codeTries: number;
  state: DomainState;
  createdAt: Date;
  /** When the administrator last asked to look for the proof. */
  lookedAt: Date | undefined;
  /** When the proof was last seen. */
  seenAt: Date | undefined;
  /** When the claim took effect. */
  provenAt: Date | undefined;
  /** While it waits: when it takes effect. */
  effectiveAt: Date | undefined;
  /** Since when the proof has been missing. */
  failingSince: Date | undefined;
  /** When the proof is looked for next. */
  dueAt: Date | undefined;
  /** Findings up to then have been told to the administrator. */
  toldAt: Date | undefined;
  /** Optimistic lock: incremented by every change. */
  version: number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A second holder waits this long, so that the first one can object. */
export const CONTEST_MS = 72 * HOUR_MS;
export const RECHECK_MS = 30 * DAY_MS;
/** How long a proof may be missing before the claim ends. */
export const GRACE_MS = 7 * DAY_MS;
const PENDING_LOOK_MS = HOUR_MS;
const PENDING_FOR_MS = 7 * DAY_MS;
const FAILING_LOOK_MS = DAY_MS;
const UNREACHABLE_LOOK_MS = 6 * HOUR_MS;
/** A mailed code is typed by a person, who may be away. */
export const CODE_VALID_MS = 7 * DAY_MS;
export const CODE_TRIES = 5;

const after = (now: Date, ms: number) => new Date(now.getTime() + ms);

/** What publishing the token looks like in a TXT record and in the file. */
export function proofValue(token: string): string {
  return `breachbell-verification=${token}`;
}

/** Whether its findings may be shown. */
export function isHeld({ state }: Pick<Domain, "state">): boolean {
  return state === "proven" || state === "failing";
}

export function newDomain(
  { language, ...first }: Pick<Domain, "id" | "accountId" | "name" | "proof" | "mailbox" | "token" | "language">,
  now: Date,
): Domain {
  return {
    ...first,
    language,
    catchAll: false,
    roleSensitive: false,
    digest: "daily",
    tellPeople: false,
    codeHash: undefined,
    codeExpiresAt: undefined,
    codeTries: 0,
    state: "pending",
    createdAt: now,
    lookedAt: undefined,
    seenAt: undefined,
    provenAt: undefined,
    effectiveAt: undefined,
    failingSince: undefined,
    dueAt: first.proof === "mail" ? undefined : after(now, PENDING_LOOK_MS),
    toldAt: undefined,
    version: 0,
  };
}

/** The same claim with another proof, to be proven anew. */
export function withProof(domain: Domain, next: Pick<Domain, "proof" | "mailbox" | "token">, now: Date): Domain {
  const { codeHash, codeExpiresAt, codeTries, dueAt } = newDomain({ ...domain, ...next }, now);
  return { ...domain, ...next, codeHash, codeExpiresAt, codeTries, dueAt, state: "pending", failingSince: undefined };
}

/** The proof was seen. `contested`: another account holds the domain. */
export function proofSeen(domain: Domain, { now, contested }: { now: Date; contested: boolean }): Domain {
  const seen = { ...domain, seenAt: now, codeHash: undefined, codeExpiresAt: undefined, codeTries: 0 };
  const proven: Domain = {
    ...seen,
    state: "proven",
    provenAt: isHeld(domain) ? domain.provenAt : now,
    effectiveAt: undefined,
    failingSince: undefined,
    dueAt: after(now, RECHECK_MS),
  };
  if (isHeld(domain)) return proven;
  if (domain.state === "waiting")
    return domain.effectiveAt && now < domain.effectiveAt ? { ...domain, seenAt: now } : proven;
  if (!contested) return proven;
  const effectiveAt = after(now, CONTEST_MS);
  return { ...seen, state: "waiting", effectiveAt, dueAt: effectiveAt, failingSince: undefined };
}

/** The proof is missing: a claim that took effect gets time to restore it, a waiting one starts again. */
export function proofMissing(domain: Domain, now: Date): Domain {
  const { state, failingSince = now, createdAt } = domain;
  if (state === "proven") return { ...domain, state: "failing", failingSince: now, dueAt: after(now, FAILING_LOOK_MS) };
  if (state === "failing") {
    const isOver = now.getTime() - failingSince.getTime() >= GRACE_MS;
    return isOver
      ? { ...domain, state: "ended", dueAt: undefined }
      : { ...domain, failingSince, dueAt: after(now, FAILING_LOOK_MS) };
  }
  const isFresh = now.getTime() - createdAt.getTime() < PENDING_FOR_MS;
  return {
    ...domain,
    state: state === "ended" ? "ended" : "pending",
    effectiveAt: undefined,
    dueAt: isFresh && domain.proof !== "mail" ? after(now, PENDING_LOOK_MS) : undefined,
  };
}

/** The look was inconclusive. A proof that has not been seen for a week longer than usual counts as missing. */
export function proofUnreachable(domain: Domain, now: Date): Domain {
  const { seenAt, state } = domain;
  if (state === "pending" || state === "ended") return proofMissing(domain, now);
  const isLost = seenAt === undefined || now.getTime() - seenAt.getTime() > RECHECK_MS + GRACE_MS;
  return isLost ? proofMissing(domain, now) : { ...domain, dueAt: after(now, UNREACHABLE_LOOK_MS) };
}

/** A code was mailed. A claim that took effect is failing until the code is typed. */
export function codeSent(domain: Domain, codeHash: string, now: Date): Domain {
  const sent = { ...domain, codeHash, codeExpiresAt: after(now, CODE_VALID_MS), codeTries: 0 };
  if (domain.state === "proven") return { ...sent, state: "failing", failingSince: now, dueAt: after(now, GRACE_MS) };
  if (domain.state === "waiting") return { ...sent, dueAt: after(now, GRACE_MS) };
  return { ...sent, state: domain.state === "ended" ? "pending" : domain.state };
}
