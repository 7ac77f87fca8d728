import type { Language } from "../../shared/language.ts";
import type { Authority, CompanyContact, LetterAsk, LetterCountry } from "../../shared/letters.ts";

/** A letter that a person says to have sent to a company. Neither its text nor the person's postal address is stored. */
export type Letter = {
  id: string;
  accountId: string;
  associationId: string;
  alertId: string;
  /** The email address that it is about. */
  address: string;
  company: string;
  asks: LetterAsk[];
  /** The country of the person, whose law it refers to. */
  country: LetterCountry;
  language: Language;
  /** YYYY-MM-DD. */
  sentOn: string;
  /** When the answer is due, YYYY-MM-DD; undefined where no law sets a deadline. */
  dueOn: string | undefined;
  /** Whether the company has answered. */
  answered: boolean;
  remindedAt: Date | undefined;
  createdAt: Date;
};

export type LetterRepository = {
  /** Locks the account's letters until the end of the transaction, and counts them. */
  count(accountId: string): Promise<number>;
  add(letter: Letter): Promise<void>;
  /** The latest first. */
  list(accountId: string): Promise<Letter[]>;
  /** False without such a letter of the account. */
  setAnswered(accountId: string, id: string, answered: boolean): Promise<boolean>;
  /** False without such a letter of the account. */
  remove(accountId: string, id: string): Promise<boolean>;
  removeByAccount(accountId: string): Promise<void>;
  /** Unanswered letters that were due before `today` and whose reminder has not been sent; at most `limit`. */
  listOverdue(today: string, limit: number): Promise<Letter[]>;
  /** False if it is answered, gone, or was marked before. */
  markReminded(id: string, now: Date): Promise<boolean>;
};

/** An entry of the directory of companies, and the countries it is meant for; `all` for any. */
export type ListedCompany = CompanyContact & { countries: string[] };

/** Public directories of companies by host or domain, and of supervisory authorities by country. */
export type LetterDirectories = {
  companies(): Promise<{ asOf: string; entries: ReadonlyMap<string, ListedCompany[]> }>;
  authorities(): Promise<{ asOf: string; entries: ReadonlyMap<string, Authority[]> }>;
};
