import { type Authority, answerDue, type CompanyContact, type LetterCountry, lawOf } from "../../shared/letters.ts";
import { fail, ok, type Result } from "../../shared/result.ts";
import { secureLink } from "../catalogue/secure_link.ts";
import type { BreachDeps, Letter, ListedCompany } from "../ports.ts";
import { entryOf, parentsOf, serviceDomain } from "../services/service_help.ts";

const DAY_MS = 24 * 3_600_000;
const MOST_LETTERS = 100;
const MOST_COMPANIES = 5;
const OLDEST_DAYS = 365;
/** How many overdue letters are read at a time. */
const BATCH = 50;

export type SentLetter = Pick<Letter, "company" | "asks" | "country" | "language" | "sentOn">;

/** A letter as shown to its account. */
export type LetterView = Omit<Letter, "accountId" | "associationId" | "dueOn" | "remindedAt" | "createdAt"> & {
  dueOn: string | null;
  /** The deadline has passed without an answer. */
  overdue: boolean;
};

/** What is known for a letter to the company of an alert. */
export type LetterFacts = {
  address: string;
  service: string;
  /** YYYY-MM-DD; null while no source has said it. */
  breachDate: string | null;
  /** Those for the reader's country first. */
  companies: CompanyContact[];
  /** The date of the directory, YYYY-MM-DD. */
  asOf: string;
};

/** Letters by which people ask a company about their data. The person sends them; this keeps the deadline. */
export function letters(deps: BreachDeps) {
  const { transaction, letterDirectories, accounts, newId, now } = deps;
  const today = () => now().toISOString().slice(0, 10);

  function viewOf(letter: Letter): LetterView {
    const { accountId: _, associationId: __, remindedAt: ___, createdAt: ____, dueOn, ...shown } = letter;
    const overdue = !letter.answered && dueOn !== undefined && dueOn < today();
    return { ...shown, dueOn: dueOn ?? null, overdue };
  }

  async function companiesOf(domain: string | undefined, country = ""): Promise<CompanyContact[]> {
    const { entries } = await letterDirectories.companies();
    const listed = domain === undefined ? [] : (entryOf(entries, parentsOf(domain)) ?? []);
    const rank = ({ countries }: ListedCompany) =>
      countries.includes(country.toLowerCase()) ? 0 : countries.includes("all") ? 1 : 2;
    const best = listed.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_COMPANIES);
    return best.map(({ countries: _, ...company }) => withSafeLinks(company));
  }

  function isPlausible(sentOn: string): boolean {
    const at = Date.parse(sentOn);
    const ahead = (at - Date.parse(today())) / DAY_MS;
    return new Date(at).toISOString().startsWith(sentOn) && ahead <= 1 && ahead >= -OLDEST_DAYS;
  }

  /** A reminder goes to the contacts of the address, or by mail if it is no longer tracked. False if it was sent meanwhile. */
  async function remind({ id: letterId, accountId, associationId, sentOn, dueOn = "" }: Letter): Promise<boolean> {
    const account = await accounts.of(accountId);
    return transaction(async (store) => {
      if (!(await store.letters.markReminded(letterId, now()))) return false;
      const params = { sentOn, dueOn };
      if (await store.watches.find(associationId))
        await store.events.publish({ type: "breaches.letterDue", accountId, associationId, letterId, ...params });
      else if (account?.verified) {
        const { email: to, language } = account;
        await store.events.publish({ type: "mail.requested", to, language, template: "letter_due", params, accountId });
      }
      return true;
    });
  }

  return {
    /** For the form of a letter: the company and the facts of the breach. */
    showLetterFacts(accountId: string, id: string, country?: string): Promise<Result<LetterFacts, "NOT_FOUND">> {
      return transaction(async ({ alerts }) => {
        const alert = await alerts.find(accountId, id);
        const breach = alert?.known?.breach;
        if (!alert || !breach) return fail("NOT_FOUND");
        const { asOf } = await letterDirectories.companies();
        const companies = await companiesOf(serviceDomain(breach), country);
        return ok({ address: alert.address, service: breach.title, breachDate: breach.breachDate, companies, asOf });
      });
    },

    /** Keeps the deadline of a letter that was sent. */
    noteLetter(
      accountId: string,
      alertId: string,
      sent: SentLetter,
    ): Promise<Result<LetterView, "NOT_FOUND" | "INVALID_INPUT" | "TOO_MANY_LETTERS">> {
      return transaction(async (store) => {
        const alert = await store.alerts.find(accountId, alertId);
        if (!alert?.details) return fail("NOT_FOUND");
        if (!isPlausible(sent.sentOn)) return fail("INVALID_INPUT", { fields: { sentOn: "INVALID_INPUT" } });
        if ((await store.letters.count(accountId)) >= MOST_LETTERS) return fail("TOO_MANY_LETTERS");
        const { associationId, address } = alert;
        const letter: Letter = {
          ...{ id: newId(), accountId, associationId, alertId, address, ...sent },
          dueOn: answerDue(sent.sentOn, lawOf(sent.country)),
          answered: false,
          remindedAt: undefined,
          createdAt: now(),
        };
        await store.letters.add(letter);
        return ok(viewOf(letter));
      });
    },

    listLetters: (accountId: string): Promise<LetterView[]> =>
      transaction(async (store) => (await store.letters.list(accountId)).map(viewOf)),

    answerLetter: (accountId: string, id: string, answered: boolean): Promise<Result<undefined, "NOT_FOUND">> =>
      transaction(async (store) =>
        (await store.letters.setAnswered(accountId, id, answered)) ? ok() : fail("NOT_FOUND"),
      ),

    removeLetter: (accountId: string, id: string): Promise<Result<undefined, "NOT_FOUND">> =>
      transaction(async (store) => ((await store.letters.remove(accountId, id)) ? ok() : fail("NOT_FOUND"))),

    /** The authorities of a country, to which a person can complain. */
    async listAuthorities(country: LetterCountry): Promise<{ authorities: Authority[]; asOf: string }> {
      const { entries, asOf } = await letterDirectories.authorities();
      const authorities = (entries.get(country.toLowerCase()) ?? []).map((one) => ({
        ...withSafeLinks(one),
        website: secureLink(one.website ?? undefined) ?? null,
      }));
      return { authorities, asOf };
    },

    /** The job: reminds of deadlines that have passed, once each; returns their number. */
    async remindOfLetters(): Promise<number> {
      let count = 0;
      for (;;) {
        const overdue = await transaction((store) => store.letters.listOverdue(today(), BATCH));
        for (const letter of overdue) if (await remind(letter)) count += 1;
        if (overdue.length < BATCH) return count;
      }
    },
  };
}

function withSafeLinks<Contact extends CompanyContact>(contact: Contact): Contact {
  return { ...contact, webform: secureLink(contact.webform ?? undefined) ?? null };
}
