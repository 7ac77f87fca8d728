import type { GrantInput } from "../../src/billing/inputs.ts";
import type { AccountState } from "../../src/identity/staff/staff_inputs.ts";
import type { Language } from "../../src/shared/language.ts";
import { type Answer, get, post } from "./call.ts";

export type StaffOverview = Answer<"/api/staff/overview", "$get">;
export type AccountPage = Answer<"/api/staff/accounts", "$get">;
export type StaffAccount = Answer<"/api/staff/accounts/:id/view", "$post">;
export type StaffActPage = Answer<"/api/staff/acts", "$get">;
export type StaffActRow = StaffActPage["acts"][number];
export type DeadLetters = Answer<"/api/staff/dead-letters", "$get">;
export type StaffSettings = Answer<"/api/staff/settings", "$get">;
/** What staff can test. */
export const CONNECTIONS = ["email", "telegram", "pushover", "hibp", "xposedornot"] as const;
export type Connection = (typeof CONNECTIONS)[number];
export type Cursor = { at: string; id: string };
export type AccountsAsked = { search: string; state: AccountState | ""; after?: Cursor | undefined };
export type ActsAsked = { actor: string; act: string; from: string; to: string; after?: Cursor | undefined };

const pageOf = (after: Cursor | undefined) => ({ after: after?.at, afterId: after?.id });

/** API calls of the staff pages. */
export const staffApi = {
  overview: () => get("/api/staff/overview"),
  accounts: ({ after, ...query }: AccountsAsked) =>
    get("/api/staff/accounts", { query: { ...query, ...pageOf(after) } }),
  account: (id: string) => post("/api/staff/accounts/:id/view", { params: { id } }),
  lock: (id: string, reason: string) => post("/api/staff/accounts/:id/lock", { params: { id }, body: { reason } }),
  unlock: (id: string, reason: string) => post("/api/staff/accounts/:id/unlock", { params: { id }, body: { reason } }),
  remove: (id: string, reason: string) => post("/api/staff/accounts/:id/delete", { params: { id }, body: { reason } }),
  grant: (id: string, body: GrantInput) => post("/api/staff/accounts/:id/grant", { params: { id }, body }),
  endGrant: (id: string, reason: string) =>
    post("/api/staff/accounts/:id/end-grant", { params: { id }, body: { reason } }),
  acts: ({ after, ...query }: ActsAsked) => get("/api/staff/acts", { query: { ...query, ...pageOf(after) } }),
  deadLetters: (page: number) => get("/api/staff/dead-letters", { query: { page } }),
  resend: (id: string) => post("/api/staff/dead-letters/:id/resend", { params: { id } }),
  settings: () => get("/api/staff/settings"),
  test: (connection: Connection) => post("/api/staff/tests/:connection", { params: { connection }, body: {} }),
  mails: (language: Language) => get("/api/staff/mails", { query: { language } }),
  mail: (kind: string, language: Language) => get("/api/staff/mails/:kind/:language", { params: { kind, language } }),
};
