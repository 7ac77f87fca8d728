/** Who can create an account: everyone, or only people with a link from the operator, which `closed` does not mention. */
export const REGISTRATION_MODES = ["open", "invite", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** `domains`: the only email domains that may register while registration is open; all if empty. A link from the operator always counts. */
export type RegistrationPolicy = { mode: RegistrationMode; domains: string[] };
