import { lookUp } from "../../shared/batching.ts";
import { type AlertFacts, isDrill } from "../../shared/breach.ts";
import type { BreachChange } from "../../shared/breach_change.ts";
import type { AlertRoute } from "../../shared/contacts.ts";
import type { Mac } from "../../shared/secrets.ts";
import { type Level, rankOf, severityOf } from "../../shared/severity.ts";
import { ownAddress } from "../contacts/address_book.ts";
import { canonical, sameAddress } from "../contacts/contact.ts";
import { unsubscribeToken } from "../contacts/contact_links.ts";
import { alertContent } from "../messages/alert_message.ts";
import type { WordOptions } from "../messages/breach_words.ts";
import type { Content } from "../messages/content.ts";
import { worseContent } from "../messages/escalation_message.ts";
import { severalContent } from "../messages/grouped_message.ts";
import { messageOf } from "../messages/message.ts";
import { reportContent } from "../messages/report_message.ts";
import type {
  About,
  Account,
  AlertAudience,
  AlertFactsOf,
  AlertRoutes,
  BreachChanges,
  Delivery,
  Message,
  Texts,
} from "../ports.ts";
import type { Cancelled, Prepared } from "./prepared.ts";

/** Up to this number, lookups of several messages are batched. */
const FEW = 10;

async function found<Found>(
  ids: string[],
  one: (id: string) => Promise<Found | undefined>,
  all: (ids: string[]) => Promise<Found[]>,
): Promise<Found[]> {
  if (ids.length > FEW) return all(ids);
  return (await Promise.all(ids.map(one))).filter((each) => each !== undefined);
}

type Needs = Texts & {
  alertRoutes: AlertRoutes;
  alertFacts: AlertFactsOf;
  breachChanges: BreachChanges;
  /** The configured breach sources; messages that name no breach attribute them all. */
  sources: string[];
  mac: Mac;
  now: () => Date;
};

type Audience = { told: AlertAudience; lastResort: boolean; contactId: string };

export type ToldPreparer = ReturnType<typeof toldPreparer>;

/** Messages about alerts: with current facts, to the current contacts of the associations. */
export function toldPreparer({
  alertRoutes,
  alertFacts,
  breachChanges,
  translate,
  publicUrl,
  sources,
  mac,
  now,
}: Needs) {
  const routeOf = lookUp(alertRoutes.of, ({ associationId }) => associationId);
  const factsOfOne = lookUp(alertFacts.of, ({ alertId }) => alertId);

  const factsOf = (alertIds: string[]): Promise<AlertFacts[]> => found(alertIds, factsOfOne, alertFacts.of);

  /** Adds the link to unsubscribe. */
  function stoppable(
    { delivery, contactId, facts }: { delivery: Delivery; contactId: string; facts: AlertFacts[] },
    words: (options: WordOptions) => Content,
  ): Message {
    const { language } = delivery;
    const token = unsubscribeToken(mac, contactId);
    const stopUrl = `${publicUrl}/${language}/manage-contact#t=${token}`;
    const content = words({ translate, language, publicUrl, stopUrl, sources, now: now() });
    return { ...messageOf(delivery, content), facts, oneClickUrl: `${publicUrl}/u/${token}` };
  }

  /** Whether the message still goes to this contact of the association or domain. */
  async function audienceOf(
    { recipient, contactId }: Delivery,
    account: Account,
    associationId: string,
  ): Promise<Audience | Cancelled> {
    const route = await routeOf(associationId);
    if (!route) return { cancelled: "alert_gone" };
    const told = { route, account };
    if (contactId === undefined) return { cancelled: "contact_removed", told };
    const mailbox = ownAddress(account);
    const lastResort = mailbox !== undefined && sameAddress(mailbox, recipient);
    const listed = route.contacts.some((address) => sameAddress(canonical(address) ?? address, recipient));
    return listed || lastResort ? { told, lastResort, contactId } : { cancelled: "contact_removed", told };
  }

  /** Alerts and reports: to the association's current contacts, about alerts that still exist. */
  async function prepareTold(
    delivery: Delivery,
    account: Account,
    { associationId, alertIds }: { associationId: string; alertIds: string[] },
  ): Promise<Prepared> {
    const { about } = delivery;
    const audience = await audienceOf(delivery, account, associationId);
    if ("cancelled" in audience) return audience;
    const { told, lastResort, contactId } = audience;
    const { route } = told;
    const facts = await factsOf(alertIds);
    const [first] = facts;
    if (alertIds.length > 0 && !first) return { cancelled: "alert_gone" };
    const change = about.kind === "worse" ? await breachChanges.of(about.changeId) : undefined;
    if (about.kind === "worse" && !change) return { cancelled: "alert_gone" };
    const write = () => {
      return stoppable({ delivery, contactId, facts }, (options) => wordsOf(about, { route, facts, change }, options));
    };
    const measured = { madeUp: isMadeUp(facts), detectedAt: detectedAt(about, first, change) };
    return { write, told, lastResort, confided: !route.own, level: levelOf(facts), measured };
  }

  /** Only alerts that still exist and still go to this contact. */
  async function prepareSeveral(
    delivery: Delivery,
    account: Account,
    { kind, alerts }: Extract<About, { kind: "alerts" | "digest" }>,
  ): Promise<Prepared> {
    const { recipient, contactId } = delivery;
    const watched = [...new Set(alerts.map(({ associationId }) => associationId))];
    const routes = await found(watched, routeOf, alertRoutes.of);
    const mailbox = ownAddress(account);
    const lastResort = mailbox !== undefined && sameAddress(mailbox, recipient);
    const goesHere = ({ contacts }: AlertRoute) =>
      lastResort || contacts.some((address) => sameAddress(canonical(address) ?? address, recipient));
    const listed = routes.filter(goesHere);
    const [route] = routes;
    if (!route) return { cancelled: "alert_gone" };
    const told = { route, account };
    if (listed.length === 0) return { cancelled: "contact_removed", told };
    const wanted = alerts.filter(({ associationId }) => listed.some((each) => each.associationId === associationId));
    const facts = await factsOf(wanted.map(({ alertId }) => alertId));
    const [first, ...others] = facts;
    if (!first || contactId === undefined) return { cancelled: "alert_gone" };
    const write = () =>
      stoppable({ delivery, contactId, facts }, (options) =>
        others.length === 0 ? alertContent(first, options) : severalContent(kind, facts, options),
      );
    const measured = { madeUp: isMadeUp(facts), detectedAt: kind === "alerts" ? firstRaised(facts) : undefined };
    const confided = listed.some(({ own }) => !own);
    return { write, told, lastResort, confided, level: levelOf(facts), measured };
  }

  /** The highest severity; undisclosed breaches must not affect how a message is sent. */
  function levelOf(facts: AlertFacts[]): Level {
    const levels = facts.map(({ breach }): Level => (breach ? severityOf(breach, now()).level : "medium"));
    return levels.toSorted((one, other) => rankOf(other) - rankOf(one))[0] ?? "low";
  }

  return { audienceOf, prepareTold, prepareSeveral };
}

type Telling = { route: AlertRoute; facts: AlertFacts[]; change: BreachChange | undefined };

function wordsOf({ kind }: About, { route, facts, change }: Telling, options: WordOptions): Content {
  const [first] = facts;
  if (kind === "worse" && first && change) return worseContent(first, change, options);
  return kind === "alert" && first ? alertContent(first, options) : reportContent(route.address, facts, options);
}

function isMadeUp(facts: AlertFacts[]): boolean {
  return facts.length > 0 && facts.every(({ breach }) => breach !== null && isDrill(breach));
}

function firstRaised(facts: AlertFacts[]): Date {
  return new Date(Math.min(...facts.map(({ raisedAt }) => Date.parse(raisedAt))));
}

/** Reports describe the past and digests have a chosen hour, so neither is measured. */
function detectedAt(
  { kind }: About,
  first: AlertFacts | undefined,
  change: BreachChange | undefined,
): Date | undefined {
  if (kind === "worse") return change && new Date(change.at);
  return kind === "alert" && first ? new Date(first.raisedAt) : undefined;
}
