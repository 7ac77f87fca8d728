/** What was typed at the login, handed on in the history entry to the screen for a forgotten password. */
export type TypedEmail = { email: string };
