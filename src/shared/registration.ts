/** Who can create an account: everyone, or only people with a link from the operator, which `closed` does not mention. */
export const REGISTRATION_MODES = ["open", "invite", "closed"] as const;
export type RegistrationMode = (typeof REGISTRATION_MODES)[number];

/** `domains`: the only email domains that may register while registration is open; all if empty. A link from the operator always counts. */
export type RegistrationPolicy = { mode: RegistrationMode; domains: string[] };

/** Whether an account may use this email without a link from the operator. */
export function isAtAllowedDomain({ mode, domains }: RegistrationPolicy, email: string): boolean {
  return mode !== "open" || domains.length === 0 || domains.includes(email.slice(email.lastIndexOf("@") + 1));
}
