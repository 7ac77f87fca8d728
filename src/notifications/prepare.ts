import type { AlertFacts } from "../shared/breach.ts";
import { ownAddress } from "./address_book.ts";
import { alertContent } from "./alert_message.ts";
import { type ConsentTemplate, consentContent, isConsentTemplate, isQuestion } from "./consent_message.ts";
import { canonical, sameAddress } from "./contact.ts";
import { unsubscribeToken } from "./contact_links.ts";
import type { Content } from "./content.ts";
import { codeContent, confirmationContent } from "./message.ts";
import type { Account, CancelReason, Delivery, Message, NotificationDeps, Told } from "./ports.ts";
import { reportContent } from "./report_message.ts";
import { type SecurityTemplate, securityContent } from "./security_message.ts";

export type Ready = {
  /** Throws when there are no words for it or its secrets cannot be read. */
  write: () => Message;
  told: Told | undefined;
  /** It goes to the account's own address, after which there is none. */
  lastResort: boolean;
};
export type Prepared = Ready | { cancelled: CancelReason; told?: Told };

/** Asks for the facts of this moment, and says why there is nothing to send any more, if so. */
export function preparer({
  alertRoutes,
  alertFacts,
  accounts,
  openQuestions,
  translate,
  publicUrl,
  supportEmail,
  mac,
  seal,
  now,
}: NotificationDeps) {
  function secret({ sealed }: Delivery, name: string): string {
    const opened: unknown = sealed === undefined ? undefined : JSON.parse(seal.open(sealed));
    const value =
      typeof opened === "object" && opened !== null && name in opened
        ? (opened as Record<string, unknown>)[name]
        : undefined;
    if (typeof value !== "string") throw new Error(`Cannot write the mail: its "${name}" is missing`);
    return value;
  }

  function messageOf({ id, messageId, recipient }: Delivery, content: Content): Message {
    return { deliveryId: id, messageId, to: recipient, content };
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

  /** A question that was answered, taken back or asked anew meanwhile is not asked any more. */
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

  /** Alerts and reports: to the contacts the association has now, of the alerts that are still there. */
  async function prepareTold(
    delivery: Delivery,
    account: Account,
    { associationId, alertIds }: { associationId: string; alertIds: string[] },
  ): Promise<Prepared> {
    const { about, language, recipient, contactId } = delivery;
    const [route] = await alertRoutes.of([associationId]);
    if (!route) return { cancelled: "alert_gone" };
    if (contactId === undefined) return { cancelled: "account_gone" };
    const told = { route, account };
    const own = ownAddress(account);
    const lastResort = own !== undefined && sameAddress(own, recipient);
    const listed = route.contacts.some((address) => sameAddress(canonical(address) ?? address, recipient));
    if (!listed && !lastResort) return { cancelled: "contact_removed", told };

    const facts: AlertFacts[] = alertIds.length === 0 ? [] : await alertFacts.of(alertIds);
    const [first] = facts;
    if (alertIds.length > 0 && !first) return { cancelled: "alert_gone" };
    const write = () => {
      const token = unsubscribeToken(mac, contactId);
      const options = { translate, language, publicUrl, stopUrl: `${publicUrl}/${language}/manage-contact#t=${token}` };
      const content =
        about.kind === "alert" && first ? alertContent(first, options) : reportContent(route.address, facts, options);
      return { ...messageOf(delivery, content), oneClickUrl: `${publicUrl}/u/${token}` };
    };
    return { write, told, lastResort };
  }

  return async function prepare(delivery: Delivery): Promise<Prepared> {
    const { about, accountId, notAfter } = delivery;
    if (notAfter && notAfter <= now()) return { cancelled: "expired" };
    const account = accountId === undefined ? undefined : await accounts.of(accountId);
    if (accountId !== undefined && !account) return { cancelled: "account_gone" };
    if (about.kind === "login_code") return prepareCode(delivery, about.params);
    if ("params" in about)
      return isConsentTemplate(about.kind)
        ? prepareConsent(delivery, about.kind, about.params)
        : prepareSecurity(delivery, about.kind, about.params);
    if (!account) return { cancelled: "account_gone" };
    switch (about.kind) {
      case "confirmation":
        return prepareConfirmation(delivery, account);
      case "alert":
        return prepareTold(delivery, account, { ...about, alertIds: [about.alertId] });
      case "report":
        return prepareTold(delivery, account, about);
    }
  };
}

/** A secret that cannot be read stops the mail when it is written. */
function isReadable(secret: () => string): boolean {
  try {
    return secret() !== "";
  } catch {
    return false;
  }
}
