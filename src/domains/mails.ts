import type { MailRequested } from "../events/catalogue.ts";
import type { Language } from "../shared/language.ts";
import { maskedEmail } from "../shared/masked_email.ts";
import type { Cipher, Mac } from "../shared/secrets.ts";
import { type Domain, isHeld } from "./domain.ts";
import type { Account } from "./ports.ts";

/**
 * To an administrator; `other` is the name of another holder of the same domain. The time tells it from an earlier mail of the same
 * content, as identical ones are sent once.
 */
export function holderMail(
  template: "domain_contested" | "domain_shared" | "domain_proof_missing" | "domain_ended",
  { id, accountId, name }: Domain,
  { account, at, until, other }: { account: Account; at: Date; until?: Date | undefined; other?: Account | undefined },
): MailRequested {
  return {
    type: "mail.requested",
    to: account.email,
    language: account.language,
    template,
    params: {
      domain: name,
      id,
      at: at.toISOString(),
      ...(until && { until: until.toISOString() }),
      ...(other && { name: nameOf(other), account: maskedEmail(other.email) }),
    },
    accountId,
  };
}

/** What a change of a claim tells its holder and `others`, who hold the same domain; `people`: their accounts, as far as they exist. */
export function changeMails(
  { before, next, at }: { before: Domain; next: Domain; at: Date },
  others: Domain[],
  people: Map<string, Account>,
): MailRequested[] {
  const own = people.get(before.accountId);
  const mails: MailRequested[] = [];
  for (const other of others) {
    const account = people.get(other.accountId);
    if (account && next.state === "waiting" && before.state !== "waiting")
      mails.push(holderMail("domain_contested", other, { account, at, until: next.effectiveAt, other: own }));
    if (next.state === "proven" && !isHeld(before)) {
      if (account) mails.push(holderMail("domain_shared", other, { account, at, other: own }));
      if (own) mails.push(holderMail("domain_shared", next, { account: own, at, other: account }));
    }
  }
  if (own && next.state === "failing" && before.state === "proven")
    mails.push(holderMail("domain_proof_missing", next, { account: own, at, until: next.dueAt }));
  if (own && next.state === "ended" && before.state !== "ended")
    mails.push(holderMail("domain_ended", next, { account: own, at }));
  return mails;
}

/** The code that proves a domain, to one of its own mailboxes. */
export function codeMail(
  { name, mailbox, language }: Domain,
  { account, code, until, cipher }: { account: Account; code: string; until: Date; cipher: Cipher },
): MailRequested {
  return {
    type: "mail.requested",
    to: `${mailbox}@${name}`,
    language,
    template: "domain_code",
    params: { domain: name, name: nameOf(account), account: maskedEmail(account.email), until: until.toISOString() },
    sealed: cipher.encrypt(JSON.stringify({ code })),
    notAfter: until.toISOString(),
  };
}

/** Valid until the domain is no longer claimed, as each notice has a token of its own. It shows what was found, and lets the person restrict or allow. */
export function personToken(
  mac: Mac,
  { domain, alias, toldAt }: { domain: string; alias: string; toldAt: Date },
): string {
  const address = `${alias}@${domain}`;
  const told = toldAt.getTime().toString(36);
  return `v1.${hexOf(address)}.${told}.${mac("domain_person", `${address}:${told}`)}`;
}

const hexOf = (ascii: string) => [...ascii].map((one) => one.charCodeAt(0).toString(16).padStart(2, "0")).join("");

/** The address that a link was mailed to, and when its person was told, without checking the seal. */
export function addressIn(token: string): { domain: string; alias: string; toldAt: Date } | undefined {
  const [, address = "", told = ""] = token.split(".");
  const toldAt = new Date(Number.parseInt(told, 36));
  const pairs = address.match(/[0-9a-f]{2}/g) ?? [];
  const text = pairs.map((pair) => String.fromCharCode(Number.parseInt(pair, 16))).join("");
  const at = text.lastIndexOf("@");
  return at > 0 ? { alias: text.slice(0, at), domain: text.slice(at + 1), toldAt } : undefined;
}

/** To a person whose address was found: who administers the domain, or that there is something new. */
export function personMail(
  template: "domain_notice" | "domain_news",
  { language, ...mailbox }: { domain: string; alias: string; language: Language; toldAt: Date },
  { administrators, mac, cipher }: { administrators: Account[]; mac: Mac; cipher: Cipher },
): MailRequested {
  const { domain, alias } = mailbox;
  const [first] = administrators;
  return {
    type: "mail.requested",
    to: `${alias}@${domain}`,
    language,
    template,
    params: {
      domain,
      name: first ? nameOf(first) : "",
      account: first ? maskedEmail(first.email) : "",
      more: String(Math.max(0, administrators.length - 1)),
    },
    sealed: cipher.encrypt(JSON.stringify({ token: personToken(mac, mailbox) })),
  };
}

export function nameOf({ firstName, lastName }: Pick<Account, "firstName" | "lastName">): string {
  return `${firstName} ${lastName}`;
}

/** An administrator as shown to others. */
export function administratorView(account: Account): { name: string; email: string } {
  return { name: nameOf(account), email: maskedEmail(account.email) };
}
