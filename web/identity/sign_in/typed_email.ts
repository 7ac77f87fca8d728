/** The typed email, passed to the next screen in the history state. */
export type TypedEmail = { email: string };
