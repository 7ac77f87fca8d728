import type { Answer } from "./call.ts";

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

/** The query parameters of the page after a row. */
export const pageOf = (after: Cursor | undefined) => ({ after: after?.at, afterId: after?.id });
