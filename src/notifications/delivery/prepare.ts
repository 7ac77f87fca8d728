import type { MailRequested } from "../../events/catalogue.ts";
import { lookUp } from "../../shared/batching.ts";
import type { Cipher, HashToken } from "../../shared/secrets.ts";
import type { Level } from "../../shared/severity.ts";
import { isShared } from "../contacts/contact.ts";
import { CHECKS_TEMPLATES, checksContent } from "../messages/checks_message.ts";
import { CONSENT_TEMPLATES, type ConsentTemplate, consentContent, QUESTIONS } from "../messages/consent_message.ts";
import type { Content } from "../messages/content.ts";
import { DOMAIN_TEMPLATES, domainContent } from "../messages/domain_message.ts";
import { letterContent } from "../messages/letter_message.ts";
import {
  codeContent,
  confirmationContent,
  isAmong,
  type MailSource,
  messageOf,
  testContent,
} from "../messages/message.ts";
import { PLAN_TEMPLATES, planContent } from "../messages/plan_message.ts";
import { discreetly } from "../messages/private_preview.ts";
import { securityContent } from "../messages/security_message.ts";
import { isToStaff, SUPPORT_TEMPLATES, type SupportTemplate, supportContent } from "../messages/support_message.ts";
import type {
  Account,
  Accounts,
  Contact,
  Delivery,
  Message,
  OpenQuestions,
  StoreAndClock,
  Texts,
  Urgency,
} from "../ports.ts";
import type { PrepareSummary } from "../summaries/prepare_summary.ts";
import type { ToldPreparer } from "./prepare_alert.ts";
import type { Prepared, Ready } from "./prepared.ts";
import { waitOf } from "./schedule.ts";

const URGENCY: Record<Level, Urgency> = { low: "low", medium: "normal", high: "high", critical: "critical" };

type Needs = StoreAndClock &
  Texts &
  ToldPreparer & {
    prepareSummary: PrepareSummary;
    accounts: Accounts;
    openQuestions: OpenQuestions;
    supportEmail: string;
    hashToken: HashToken;
    cipher: Cipher;
  };

export type Prepare = (delivery: Delivery) => Promise<Prepared>;

/** Loads the current facts, or the reason why there is nothing to send any more. */
export function preparer(needs: Needs): Prepare {
  const { transaction, accounts, openQuestions, translate, publicUrl, supportEmail, hashToken, cipher, now } = needs;
  const { audienceOf, prepareTold, prepareSeveral, prepareSummary } = needs;
  const contactOf = lookUp((ids) => transaction(({ contacts }) => contacts.listByIds(ids)), idOf);
  const accountOf = lookUp(accounts.listOf, idOf);

  function kept({ sealed }: Delivery, name: string): string | undefined {
    const opened: unknown = sealed === undefined ? undefined : JSON.parse(cipher.decrypt(sealed));
    const value =
      typeof opened === "object" && opened !== null && name in opened
        ? (opened as Record<string, unknown>)[name]
        : undefined;
    return typeof value === "string" ? value : undefined;
  }

  function secret(delivery: Delivery, name: string): string {
    const value = kept(delivery, name);
    if (value === undefined) throw new Error(`Cannot write the mail: its "${name}" is missing`);
    return value;
  }

  /** Applies the contact's settings. What was confided to the account is not told to the others who read a chat. */
  function settled(message: Message, contact: Contact, confided: boolean): Message {
    const { chatId, settings } = contact;
    const { device, secret: sealedSecret, thread, emergency } = settings;
    const discreet = settings.discreet || (confided && isShared(contact));
    const to = {
      ...message.to,
      ...(device !== undefined && { device }),
      ...(sealedSecret !== undefined && { secret: cipher.decrypt(sealedSecret) }),
      ...(chatId !== undefined && { chatId }),
      ...(thread !== undefined && { thread }),
    };
    const whole: Message = { ...message, to, ...(emergency && { emergency }) };
    return discreet && message.facts ? discreetly(whole, translate) : whole;
  }

  function mail(delivery: Delivery, content: () => Content): Ready {
    return { write: () => messageOf(delivery, content()), lastResort: true };
  }

  /** User-written text is in the secret. Replies by mail go to the other party. */
  function prepareSupport(delivery: Delivery, kind: SupportTemplate, source: MailSource): Ready {
    const proven = kept(delivery, "proven") ?? "";
    const written = (name: string) => (name === "proven" ? proven : secret(delivery, name));
    const { write } = mail(delivery, () => supportContent(kind, { ...source, written }));
    return { write: () => ({ ...write(), replyTo: (isToStaff(kind) && proven) || supportEmail }), lastResort: true };
  }

  /** Skips questions that were answered, withdrawn or asked again meanwhile. */
  async function prepareConsent(delivery: Delivery, kind: ConsentTemplate, source: MailSource): Promise<Prepared> {
    const token = () => secret(delivery, "token");
    if (isAmong(QUESTIONS, kind) && isReadable(token) && !(await openQuestions.has(token())))
      return { cancelled: "already_settled" };
    return mail(delivery, () => consentContent(kind, { ...source, token, until: delivery.notAfter }));
  }

  /** A message to the contacts of an address or a domain; without a contact, a mail to the account. */
  async function prepareForContact(
    delivery: Delivery,
    {
      account,
      associationId,
      level,
    }: { account: Account | undefined; associationId: string | undefined; level?: Level },
    content: () => Content,
  ): Promise<Prepared> {
    const ready = mail(delivery, content);
    if (delivery.contactId === undefined || account === undefined || associationId === undefined) return ready;
    const audience = await audienceOf(delivery, account, associationId);
    if ("cancelled" in audience) return audience;
    const { told, lastResort } = audience;
    return { ...ready, told, lastResort, ...(level && { level }) };
  }

  /** A mail of another module. */
  async function prepareMail(
    delivery: Delivery,
    { kind, account }: { kind: MailRequested["template"]; account: Account | undefined },
    source: MailSource,
  ): Promise<Prepared> {
    const written = (name: string) => secret(delivery, name);
    const token = () => written("token");
    const { minutes, associationId, id } = source.params;
    if (kind === "login_code") return mail(delivery, () => codeContent({ ...source, code: written("code"), minutes }));
    if (kind === "letter_due")
      return prepareForContact(delivery, { account, associationId }, () => letterContent(source));
    // New findings wait for the end of their contact's quiet hours.
    if (kind === "domain_findings")
      return prepareForContact(delivery, { account, associationId: id, level: "high" }, () =>
        domainContent(kind, { ...source, written }),
      );
    if (isAmong(SUPPORT_TEMPLATES, kind)) return prepareSupport(delivery, kind, source);
    if (isAmong(CONSENT_TEMPLATES, kind)) return prepareConsent(delivery, kind, source);
    if (isAmong(PLAN_TEMPLATES, kind)) return mail(delivery, () => planContent(kind, source));
    if (isAmong(CHECKS_TEMPLATES, kind)) return mail(delivery, () => checksContent(kind, source));
    if (!isAmong(DOMAIN_TEMPLATES, kind))
      return mail(delivery, () => securityContent(kind, { ...source, token, supportEmail }));
    return mail(delivery, () => domainContent(kind, { ...source, written }));
  }

  function prepareConfirmation(
    delivery: Delivery,
    contact: Contact | undefined,
    { firstName: asker }: Account,
  ): Prepared {
    const token = () => secret(delivery, "token");
    // Asked again meanwhile, so this mail's link is void.
    if (isReadable(token) && contact?.confirmHash !== hashToken(token())) return { cancelled: "already_settled" };
    const { language } = delivery;
    const url = () => `${publicUrl}/${language}/manage-contact#t=${token()}`;
    const { write } = mail(delivery, () => confirmationContent({ asker, url: url(), language, translate }));
    return { write, lastResort: false };
  }

  async function prepareAny(delivery: Delivery, contact: Contact | undefined): Promise<Prepared> {
    const { about, accountId, notAfter } = delivery;
    const language = contact?.settings.language ?? delivery.language;
    if (notAfter && notAfter <= now()) return { cancelled: "expired" };
    const account = accountId === undefined ? undefined : await accountOf(accountId);
    if (accountId !== undefined && !account) return { cancelled: "account_gone" };
    if ("params" in about)
      return prepareMail(
        delivery,
        { kind: about.kind, account },
        { params: about.params, language, translate, publicUrl },
      );
    if (!account) return { cancelled: "account_gone" };
    switch (about.kind) {
      case "test": {
        const { write } = mail(delivery, () => testContent({ language, translate, publicUrl }));
        return { write, lastResort: false, measured: { madeUp: true } };
      }
      case "confirmation":
        return prepareConfirmation(delivery, contact, account);
      case "alert":
      case "worse":
        return prepareTold({ ...delivery, language }, account, { ...about, alertIds: [about.alertId] });
      case "report":
        return prepareTold({ ...delivery, language }, account, about);
      case "monthly_summary":
        return prepareSummary(delivery, accountId ?? "", about.month);
      case "alerts":
      case "digest":
        return prepareSeveral({ ...delivery, language }, account, about);
    }
  }

  return async function prepare(delivery) {
    const contact = delivery.contactId === undefined ? undefined : await contactOf(delivery.contactId);
    const prepared = await prepareAny(delivery, contact);
    if (!contact || !("write" in prepared)) return prepared;
    const { level } = prepared;
    const told = { kind: delivery.about.kind, createdAt: delivery.createdAt, now: now() };
    const wait = level && waitOf(contact, { ...told, level });
    if (wait) return { wait };
    const urgency = level === undefined ? {} : { urgency: URGENCY[level] };
    return {
      ...prepared,
      write: () => settled({ ...prepared.write(), ...urgency }, contact, prepared.confided === true),
    };
  };
}

const idOf = ({ id }: { id: string }) => id;

/** An unreadable secret fails when the mail is rendered. */
function isReadable(secret: () => string): boolean {
  try {
    return secret() !== "";
  } catch {
    return false;
  }
}
