import { lookUp } from "../../shared/batch_loader.ts";
import type { Language } from "../../shared/language.ts";
import type { Cipher, HashToken } from "../../shared/secrets.ts";
import type { Level } from "../../shared/severity.ts";
import { isShared } from "../contacts/contact.ts";
import { checksContent, isChecksTemplate } from "../messages/checks_message.ts";
import { type ConsentTemplate, consentContent, isConsentTemplate, isQuestion } from "../messages/consent_message.ts";
import { type DomainTemplate, domainContent, isDomainTemplate } from "../messages/domain_message.ts";
import { letterContent } from "../messages/letter_message.ts";
import { codeContent, confirmationContent, messageOf, testContent } from "../messages/message.ts";
import { isPlanTemplate, type PlanTemplate, planContent } from "../messages/plan_message.ts";
import { discreetly } from "../messages/private_preview.ts";
import { type SecurityTemplate, securityContent } from "../messages/security_message.ts";
import { isSupportTemplate, isToStaff, type SupportTemplate, supportContent } from "../messages/support_message.ts";
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
  const { prepareTold, prepareSeveral, prepareSummary } = needs;
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

  function prepareCode(delivery: Delivery, params: Record<string, string>): Ready {
    const { language } = delivery;
    const write = () =>
      messageOf(
        delivery,
        codeContent({ code: secret(delivery, "code"), minutes: params.minutes, language, translate }),
      );
    return { write, told: undefined, lastResort: true };
  }

  function prepareSecurity(delivery: Delivery, template: SecurityTemplate, params: Record<string, string>): Ready {
    const { language } = delivery;
    const token = () => secret(delivery, "token");
    const write = () =>
      messageOf(delivery, securityContent(template, { params, token, language, translate, publicUrl, supportEmail }));
    return { write, told: undefined, lastResort: true };
  }

  /** User-written text is in the secret. Replies by mail go to the other party. */
  function prepareSupport(delivery: Delivery, template: SupportTemplate, params: Record<string, string>): Ready {
    const { language } = delivery;
    const proven = kept(delivery, "proven") ?? "";
    const written = (name: string) => (name === "proven" ? proven : secret(delivery, name));
    const write = () => {
      const content = supportContent(template, { params, written, language, translate, publicUrl });
      return { ...messageOf(delivery, content), replyTo: (isToStaff(template) && proven) || supportEmail };
    };
    return { write, told: undefined, lastResort: true };
  }

  function preparePlan(delivery: Delivery, template: PlanTemplate, params: Record<string, string>): Ready {
    const { language } = delivery;
    const write = () => messageOf(delivery, planContent(template, { params, language, translate, publicUrl }));
    return { write, told: undefined, lastResort: true };
  }

  /** New findings wait for the end of their contact's quiet hours. */
  function prepareDomain(
    delivery: Delivery,
    template: DomainTemplate,
    { params, language }: { params: Record<string, string>; language: Language },
  ): Ready {
    const written = (name: string) => secret(delivery, name);
    const write = () =>
      messageOf(delivery, domainContent(template, { params, written, language, translate, publicUrl }));
    const level: Level = "high";
    return { write, told: undefined, lastResort: true, ...(template === "domain_findings" && { level }) };
  }

  /** Skips questions that were answered, withdrawn or asked again meanwhile. */
  async function prepareConsent(
    delivery: Delivery,
    template: ConsentTemplate,
    params: Record<string, string>,
  ): Promise<Prepared> {
    const { language, notAfter: until } = delivery;
    const token = () => secret(delivery, "token");
    const write = () =>
      messageOf(delivery, consentContent(template, { params, token, until, language, translate, publicUrl }));
    if (isQuestion(template) && isReadable(token) && !(await openQuestions.has(token())))
      return { cancelled: "already_settled" };
    return { write, told: undefined, lastResort: true };
  }

  function prepareConfirmation(delivery: Delivery, { firstName: asker }: Account): Ready {
    const { language } = delivery;
    const write = () => {
      const url = `${publicUrl}/${language}/manage-contact#t=${secret(delivery, "token")}`;
      return messageOf(delivery, confirmationContent({ asker, url, language, translate }));
    };
    return { write, told: undefined, lastResort: false };
  }

  function isLatestQuestion(delivery: Delivery, contact: Contact | undefined): boolean {
    const token = () => secret(delivery, "token");
    return !isReadable(token) || contact?.confirmHash === hashToken(token());
  }

  async function prepareAny(delivery: Delivery, contact: Contact | undefined): Promise<Prepared> {
    const { about, accountId, notAfter } = delivery;
    const language = contact?.settings.language ?? delivery.language;
    if (notAfter && notAfter <= now()) return { cancelled: "expired" };
    const account = accountId === undefined ? undefined : await accountOf(accountId);
    if (accountId !== undefined && !account) return { cancelled: "account_gone" };
    if (about.kind === "login_code") return prepareCode(delivery, about.params);
    if ("params" in about) {
      const { kind, params } = about;
      if (isSupportTemplate(kind)) return prepareSupport(delivery, kind, params);
      if (isPlanTemplate(kind)) return preparePlan(delivery, kind, params);
      if (isChecksTemplate(kind)) {
        const write = () => messageOf(delivery, checksContent(kind, { params, language, translate, publicUrl }));
        return { write, told: undefined, lastResort: true };
      }
      if (isDomainTemplate(kind)) return prepareDomain(delivery, kind, { params, language });
      if (kind === "letter_due") {
        const write = () => messageOf(delivery, letterContent({ params, language, translate, publicUrl }));
        return { write, told: undefined, lastResort: true };
      }
      return isConsentTemplate(kind) ? prepareConsent(delivery, kind, params) : prepareSecurity(delivery, kind, params);
    }
    if (!account) return { cancelled: "account_gone" };
    switch (about.kind) {
      case "test":
        return {
          write: () => messageOf(delivery, testContent({ language, translate, publicUrl })),
          told: undefined,
          lastResort: false,
          measured: { madeUp: true },
        };
      case "confirmation":
        // Asked again meanwhile, so this mail's link is void.
        if (!isLatestQuestion(delivery, contact)) return { cancelled: "already_settled" };
        return prepareConfirmation(delivery, account);
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
