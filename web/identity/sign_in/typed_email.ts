/** What was typed on one screen of the entrance, handed on in the history entry to the next. */
export type TypedEmail = { email: string };
