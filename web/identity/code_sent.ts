/** What the login tells the code's screen, kept in the history entry: so it is there again after a reload. */
export type CodeSent = { email: string; sentAt: number };
