import type { BreachFacts } from "../shared/breach.ts";
import { fail, ok, type Result } from "../shared/result.ts";
import { mailboxMark, takeStrangerMail } from "../shared/stranger_mail.ts";
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

/** The say of the people whose addresses are at a domain. */
export function people(deps: DomainDeps) {
  const { transaction, accounts, owners, breachFacts, hashToken, mac, cipher, now, report } = deps;

  async function administratorsOf(held: Domain[]): Promise<Map<string, Account>> {
    const found = new Map<string, Account>();
    for (const { accountId } of held) {
      const account = await accounts.of(accountId);
      if (account) found.set(accountId, account);
    }
    return found;
  }

  const heldBy = async ({ domains }: DomainStore, name: string) => (await domains.listByName(name)).filter(isHeld);

  /** The address of a valid link. Hashes are compared, as comparing tokens would leak through timing how much is right. */
  function addressOf(token: string): { domain: string; alias: string } | undefined {
    const found = addressIn(token);
    if (!found || hashToken(personToken(mac, found.domain, found.alias)) !== hashToken(token)) return undefined;
    return found;
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
    const known = await administratorsOf(found.held);
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

  /** People who have an account are told in its language. */
  async function languagesOf(list: Mailbox[]): Promise<Map<string, Account>> {
    return owners.of(list.map(({ alias, domain }) => `${alias}@${domain}`));
  }

  type Telling = { held: Domain[]; template: "domain_notice" | "domain_news"; known: Map<string, Account> };

  /** Mails one person. False when the mailbox has had too many mails from strangers. */
  function tell(mailbox: Mailbox, { held, template, known }: Telling): Promise<boolean> {
    const { domain, alias } = mailbox;
    const administrators = held.flatMap(({ accountId }) => known.get(accountId) ?? []);
    const [first] = held;
    const language = mailbox.language ?? first?.language ?? "en";
    return transaction(async ({ domains, findings, strangerMail, events }) => {
      await domains.lockName(domain);
      const request = { mailbox: mailboxMark(mac, `${alias}@${domain}`) };
      if (await takeStrangerMail(strangerMail, request, now())) return false;
      if (template === "domain_news") await findings.markNews(domain, alias, now());
      else if (!(await findings.markTold(domain, alias, { at: now(), language }))) return false;
      await events.publish(personMail(template, { domain, alias, language }, { administrators, mac, cipher }));
      return true;
    });
  }

  async function tellAll(list: Mailbox[], telling: Telling): Promise<number> {
    const own = await languagesOf(list);
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
      const today = await store.findings.countTold(name, new Date(now().getTime() - DAY_MS));
      const room = Math.max(0, TOLD_PER_DAY - today);
      const untold = await store.findings.listUntold(name, BATCH);
      const isNewsWanted = held.some(({ tellPeople }) => tellPeople);
      const behind = isNewsWanted ? await store.findings.listBehind(name, BATCH) : [];
      const again = new Date(now().getTime() + (room > 0 ? 0 : HOUR_MS));
      await store.domains.setPeopleDue(name, untold.length + behind.length > 0 ? again : undefined);
      return { held, room, untold, behind };
    });
    const known = await administratorsOf(held);
    const told = await tellAll(untold.slice(0, room), { held, template: "domain_notice", known });
    // What was found of them is shown from now on.
    if (told > 0)
      await transaction(async ({ domains, findings }) => {
        await domains.lockName(name);
        await findings.summarise(name);
        for (const { id } of held) await domains.setTellingDue(id, now());
      });
    return told + (await tellAll(behind, { held, template: "domain_news", known }));
  }

  return {
    /** What a mailed link is about. Read-only, as mail scanners open links. */
    async inspectDomainLink(token: string): Promise<Result<PersonView, "LINK_INVALID">> {
      const at = addressOf(token);
      const view = at && (await viewOf(at.domain, at.alias));
      return view ? ok(view) : fail("LINK_INVALID");
    },

    /** The person decides what administrators see, and thereby takes the address over. */
    async answerDomainLink(token: string, { say }: Answer): Promise<Result<undefined, "LINK_INVALID">> {
      const at = addressOf(token);
      return at && (await answer(at.domain, at.alias, say)) ? ok() : fail("LINK_INVALID");
    },

    /** The same for the account's own verified address; null when nobody holds its domain, or nothing was found. */
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
