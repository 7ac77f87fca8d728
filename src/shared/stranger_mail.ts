import { mailboxKey } from "./mailbox_key.ts";
import type { Mac } from "./secrets.ts";

export type Limit = { count: number; withinMs: number };

const DAY_MS = 24 * 3_600_000;
/** Unsolicited mails to one mailbox, of all kinds and from all accounts. */
export const MAILBOX_LIMIT: Limit = { count: 3, withinMs: 7 * DAY_MS };
/**
 * Extra mails to a mailbox for a network that has not sent to it yet, so that strangers cannot lock out an owner who registers.
 */
const CLAIM_RESERVE = 1;
/** Mails caused by one person: invitations, questions to contacts and links to a new email address together. */
export const ASKER_LIMIT: Limit = { count: 20, withinMs: DAY_MS };
/** Mails caused by one network, whoever uses it. */
export const NETWORK_LIMIT: Limit = { count: 100, withinMs: DAY_MS };

/** One unsolicited mail. People and networks are identified by keyed hashes only. */
export type StrangerMailRow = {
  mailbox: string;
  asker: string | undefined;
  network: string | undefined;
  /** The requester claims to own the mailbox: once that is proven, the mail no longer counts. */
  claimed: boolean;
  at: Date;
};

/** Part of the store of every module that sends unsolicited mail: the count commits or rolls back with the mail itself. */
export type StrangerMailRepository = {
  /** Takes the lock that serialises counting until this transaction ends. Take it after every other lock. */
  lock(): Promise<void>;
  /** Mails after `since` to one of these mailboxes, or of this requester or network. */
  list(
    by: Pick<StrangerMailRow, "asker" | "network"> & { mailboxes: string[] },
    since: Date,
  ): Promise<StrangerMailRow[]>;
  add(mail: StrangerMailRow): Promise<void>;
  removeClaimed(mailbox: string): Promise<void>;
  removeBefore(before: Date): Promise<void>;
};

export type StrangerMailRequest = {
  mailbox: string;
  asker?: string | undefined;
  /** That of this asker; by default a person's. */
  askerLimit?: Limit;
  network?: string | undefined;
  claimed?: boolean;
  /** For a mail that is only pretended to be sent: the hash to count it under in place of the mailbox's. */
  unsent?: string | undefined;
};

/** The limit that is used up, and when the next mail may be sent. */
export type StrangerMailRefusal = { by: "mailbox" | "asker" | "network"; freeAt: Date };

/** Keyed hash of the mailbox behind an address, the same for every spelling. */
export function mailboxMark(mac: Mac, address: string): string {
  return mac("address", mailboxKey(address));
}

/** Keyed hash of a requester, by the proven mailbox, so that it survives deleting the account. */
export function askerMark(mac: Mac, email: string): string {
  return mac("asker", mailboxKey(email));
}

/** Keyed hash of a domain whose people are mailed, the same for all who hold it. No mailbox has it, as those contain an "@". */
export function domainAskerMark(mac: Mac, domain: string): string {
  return mac("asker", domain);
}

/** `bucket`: the part of an IP address that counts as one network. */
export function networkMark(mac: Mac, bucket: string): string {
  return mac("network", bucket);
}

/** The earliest time, from `now` on, at which one more mail keeps the limit; `times` in any order. */
export function freeAt(times: readonly Date[], { count, withinMs }: Limit, now: Date): Date {
  const newestFirst = times.map((time) => time.getTime()).sort((one, other) => other - one);
  return new Date(Math.max(now.getTime(), (newestFirst[count - 1] ?? Number.NEGATIVE_INFINITY) + withinMs));
}

/** Why this mail may not be sent now; undefined when it may. */
export function strangerMailRefusal(
  rows: readonly StrangerMailRow[],
  { mailbox, asker, askerLimit = ASKER_LIMIT, network, claimed = false, unsent }: StrangerMailRequest,
  now: Date,
): StrangerMailRefusal | undefined {
  const timesOf = (list: readonly StrangerMailRow[]) => list.map(({ at }) => at);
  const shares = [
    { by: "asker", mine: rows.filter((row) => asker !== undefined && row.asker === asker), limit: askerLimit },
    {
      by: "network",
      mine: rows.filter((row) => network !== undefined && row.network === network),
      limit: NETWORK_LIMIT,
    },
  ] as const;
  for (const { by, mine, limit } of shares) {
    const free = freeAt(timesOf(mine), limit, now);
    if (free > now) return { by, freeAt: free };
  }
  const since = now.getTime() - MAILBOX_LIMIT.withinMs;
  const sent = rows.filter((row) => row.mailbox === mailbox || row.mailbox === unsent);
  const isFirstOfNetwork = network !== undefined && !sent.some((row) => row.network === network);
  const isReserved = claimed && isFirstOfNetwork;
  const limit = { ...MAILBOX_LIMIT, count: MAILBOX_LIMIT.count + (isReserved ? CLAIM_RESERVE : 0) };
  const free = freeAt(timesOf(sent.filter(({ at }) => at.getTime() > since)), limit, now);
  return free > now ? { by: "mailbox", freeAt: free } : undefined;
}

/** Whether this mail could be sent now, without counting it. */
export async function lookAtStrangerMail(
  mails: StrangerMailRepository,
  request: StrangerMailRequest,
  now: Date,
): Promise<StrangerMailRefusal | undefined> {
  const { mailbox, unsent, asker, network } = request;
  const mailboxes = unsent === undefined ? [mailbox] : [mailbox, unsent];
  const since = new Date(now.getTime() - MAILBOX_LIMIT.withinMs);
  return strangerMailRefusal(await mails.list({ mailboxes, asker, network }, since), request, now);
}

/** Counts this mail if it may be sent; otherwise counts nothing. */
export async function takeStrangerMail(
  mails: StrangerMailRepository,
  request: StrangerMailRequest,
  now: Date,
): Promise<StrangerMailRefusal | undefined> {
  await mails.lock();
  const refusal = await lookAtStrangerMail(mails, request, now);
  if (refusal) return refusal;
  const { mailbox, unsent = mailbox, asker, network, claimed = false } = request;
  await mails.add({ mailbox: unsent, asker, network, claimed, at: now });
  return undefined;
}

/** The `retryAfter` of a refusal: whole seconds, at least one. */
export function secondsUntilFree({ freeAt }: StrangerMailRefusal, now: Date): number {
  return Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000));
}
