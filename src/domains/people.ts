import type { BreachFacts } from "../shared/breach.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { domainAskerMark, mailboxMark, takeStrangerMail } from "../shared/stranger_mail.ts";
import { claimantsOf } from "./coverage.ts";
import { type Domain, isHeld } from "./domain.ts";
import type { Mailbox, Say } from "./finding.ts";
import { addressIn, administratorView, personMail, personToken } from "./mails.ts";
import type { Account, DomainDeps, DomainStore, LookKind } from "./ports.ts";

/** People of one domain who are told within a day, so that a wrong claim is noticed before it has reached everyone. */
export const TOLD_PER_DAY = 200;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BATCH = 20;
const SHOWN_LOOKS = 100;

/** Whether its person is still to be told that. */
function isToTell(
  { kind, say, toldAt, newsAt, takenAt, latestAt }: Mailbox,
  template: "domain_notice" | "domain_news",
) {
  if (template === "domain_notice") return kind === "person" && toldAt === undefined && say !== "nothing";
  return takenAt === undefined && newsAt !== undefined && latestAt > newsAt;
}

type Person = { name: string; email: string };

/** What the person behind an address is shown; instants in ISO 8601. */
export type PersonView = {
  address: string;
  domain: string;
  administrators: Person[];
  say: Say;
  taken: boolean;
  /** Everything that was found, also what administrators do not see. */
  breaches: (BreachFacts & { foundAt: string })[];
  sites: string[];
  looks: { at: string; what: LookKind; by: Person | null }[];
};

export type Answer = { say: Say };

/** What people at a domain allow its administrators to see. */
export function people(deps: DomainDeps) {
  const { transaction, accounts, owners, breachFacts, hashToken, mac, cipher, now, report } = deps;

  const heldBy = async ({ domains }: DomainStore, name: string) => (await domains.listByName(name)).filter(isHeld);

  /** The address of a valid link. Hashes are compared, as comparing tokens would leak through timing how much is right. */
  async function addressOf(token: string): Promise<{ domain: string; alias: string } | undefined> {
    const found = addressIn(token);
    if (!found || hashToken(personToken(mac, found)) !== hashToken(token)) return undefined;
    const mailbox = await transaction(({ findings }) => findings.findMailbox(found.domain, found.alias));
    return mailbox?.toldAt?.getTime() === found.toldAt.getTime() ? found : undefined;
  }

  async function viewOf(domain: string, alias: string): Promise<PersonView | undefined> {
    const found = await transaction(async (store) => {
      const [held, mailbox] = [await heldBy(store, domain), await store.findings.findMailbox(domain, alias)];
      if (held.length === 0 || !mailbox) return undefined;
      const looks = await store.looks.list(domain, alias, SHOWN_LOOKS);
      return { held, mailbox, looks, findings: await store.findings.listOf(domain, [alias]) };
    });
    if (!found) return undefined;
    const { mailbox, looks, findings } = found;
    const known = await claimantsOf(accounts, found.held);
    const facts = await breachFacts.of(findings.flatMap(({ kind, name }) => (kind === "breach" ? [name] : [])));
    return {
      address: `${alias}@${domain}`,
      domain,
      administrators: [...known.values()].map(administratorView),
      say: mailbox.say,
      taken: mailbox.takenAt !== undefined,
      breaches: findings.flatMap(({ kind, name, foundAt }) => {
        const breach = kind === "breach" ? facts.get(name) : undefined;
        return breach ? [{ ...breach, foundAt: foundAt.toISOString() }] : [];
      }),
      sites: findings.flatMap(({ kind, name }) => (kind === "site" ? [name] : [])),
      looks: looks.map(({ at, what, accountId }) => {
        const by = known.get(accountId);
        return { at: at.toISOString(), what, by: by ? administratorView(by) : null };
      }),
    };
  }

  /** Whoever answers has proven the address, by the link or by a verified account, and takes it over. */
  function answer(domain: string, alias: string, say: Say): Promise<boolean> {
    return transaction(async (store) => {
      await store.domains.lockName(domain);
      if ((await heldBy(store, domain)).length === 0) return false;
      const mailbox = await store.findings.findMailbox(domain, alias);
      if (!mailbox) return false;
      if (!(await store.findings.setSay(domain, alias, say, mailbox.takenAt ?? now()))) return false;
      await store.findings.summarise(domain);
      return true;
    });
  }

  async function ownAddress(accountId: string): Promise<{ domain: string; alias: string } | undefined> {
    const account = await accounts.of(accountId);
    if (!account?.verified) return undefined;
    const at = account.email.lastIndexOf("@");
    return { alias: account.email.slice(0, at), domain: account.email.slice(at + 1) };
  }

  type Telling = { held: Domain[]; template: "domain_notice" | "domain_news"; known: Map<string, Account> };

  /** Counts sent mails, so that removing and adding the domain again does not reset the limit. */
  const limitOf = (domain: string, template: Telling["template"]) =>
    template === "domain_notice"
      ? { asker: domainAskerMark(mac, domain), askerLimit: { count: TOLD_PER_DAY, withinMs: DAY_MS } }
      : {};

  async function countToday({ strangerMail }: DomainStore, domain: string): Promise<number> {
    const by = { mailboxes: [], asker: domainAskerMark(mac, domain), network: undefined };
    return (await strangerMail.list(by, new Date(now().getTime() - DAY_MS))).length;
  }

  /** Mails one person. False when that is no longer needed, or the mailbox has had too many mails from strangers. */
  function tell(
    { domain, alias, language: known }: Mailbox,
    { held, template, known: people }: Telling,
  ): Promise<boolean> {
    const administrators = held.flatMap(({ accountId }) => people.get(accountId) ?? []);
    const language = known ?? held[0]?.language ?? "en";
    return transaction(async ({ domains, findings, strangerMail, events }) => {
      await domains.lockName(domain);
      // Another process may have told it since it was listed.
      const mailbox = await findings.findMailbox(domain, alias);
      const at = now();
      if (!mailbox || !isToTell(mailbox, template)) return false;
      const request = { mailbox: mailboxMark(mac, `${alias}@${domain}`), ...limitOf(domain, template) };
      const refusal = await takeStrangerMail(strangerMail, request, at);
      if (refusal) {
        if (refusal.by === "mailbox") await findings.putOff(domain, alias, at);
        return false;
      }
      if (template === "domain_news") await findings.markNews(domain, alias, at);
      else {
        await findings.markTold(domain, alias, { at, language });
        // What was found of it is shown from now on: it is counted, and told to the administrators.
        await domains.wake(domain, at);
      }
      const told = { domain, alias, language, toldAt: mailbox.toldAt ?? at };
      await events.publish(personMail(template, told, { administrators, mac, cipher }));
      return true;
    });
  }

  async function tellAll(list: Mailbox[], telling: Telling): Promise<number> {
    // Account holders are told in their account's language.
    const own = await owners.of(list.map(({ alias, domain }) => `${alias}@${domain}`));
    let told = 0;
    for (const mailbox of list) {
      const language = own.get(`${mailbox.alias}@${mailbox.domain}`)?.language ?? mailbox.language;
      if (await tell({ ...mailbox, language }, telling)) told += 1;
    }
    return told;
  }

  /** Tells some people of a domain. There may be more, today or tomorrow, as long as it is due again. */
  async function tellPeopleOf(name: string): Promise<number> {
    const { held, room, untold, behind } = await transaction(async (store) => {
      await store.domains.lockName(name);
      const held = await heldBy(store, name);
      // Those who were told since the last run; each of them makes it due again.
      await store.findings.summarise(name);
      const room = Math.max(0, TOLD_PER_DAY - (await countToday(store, name)));
      const untold = await store.findings.listUntold(name, BATCH);
      const isNewsWanted = held.some(({ tellPeople }) => tellPeople);
      const behind = isNewsWanted ? await store.findings.listBehind(name, BATCH) : [];
      const again = new Date(now().getTime() + (room > 0 ? 0 : HOUR_MS));
      await store.domains.setPeopleDue(name, untold.length + behind.length > 0 ? again : undefined);
      return { held, room, untold, behind };
    });
    const known = await claimantsOf(accounts, held);
    // The last of them has just deleted the account.
    if (known.size === 0) return 0;
    const told = await tellAll(untold.slice(0, room), { held, template: "domain_notice", known });
    return told + (await tellAll(behind, { held, template: "domain_news", known }));
  }

  return {
    /** What a mailed link is about. Read-only, as mail scanners open links. */
    async inspectDomainLink(token: string): Promise<Result<PersonView, "LINK_INVALID">> {
      const at = await addressOf(token);
      const view = at && (await viewOf(at.domain, at.alias));
      return view ? ok(view) : fail("LINK_INVALID");
    },

    /** The person decides what administrators see, and thereby takes the address over. */
    async answerDomainLink(token: string, { say }: Answer): Promise<Result<undefined, "LINK_INVALID">> {
      const at = await addressOf(token);
      return at && (await answer(at.domain, at.alias, say)) ? ok() : fail("LINK_INVALID");
    },

    /** The same for the account's own verified address; null when no account holds its domain, or nothing was found. */
    async showOwnDomain(accountId: string): Promise<Result<{ view: PersonView | null }>> {
      const at = await ownAddress(accountId);
      return ok({ view: (at && (await viewOf(at.domain, at.alias))) ?? null });
    },

    async answerOwnDomain(accountId: string, { say }: Answer): Promise<Result<undefined, "NOT_FOUND">> {
      const at = await ownAddress(accountId);
      return at && (await answer(at.domain, at.alias, say)) ? ok() : fail("NOT_FOUND");
    },

    /** The job: tells people who administers their domain, and where wanted of new findings. Returns the number of mails. */
    async tellPeople(): Promise<number> {
      let told = 0;
      for (const name of await transaction(({ domains }) => domains.listPeopleDue(now(), BATCH)))
        try {
          told += await tellPeopleOf(name);
        } catch (error) {
          report(error, { job: "domain-people" });
        }
      return told;
    },
  };
}
