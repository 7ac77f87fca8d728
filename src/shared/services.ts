/** How hard a service makes it to delete an account, as JustDeleteMe rates it; `limited` depends on where a person lives. */
export const DELETION_DIFFICULTIES = ["easy", "medium", "hard", "limited", "impossible"] as const;
export type DeletionDifficulty = (typeof DELETION_DIFFICULTIES)[number];

/** The second steps that a service can offer, in the 2FA Directory's terms, the strongest first. */
export const SECOND_STEPS = ["u2f", "custom-hardware", "totp", "custom-software", "sms", "call", "email"] as const;
export type SecondStep = (typeof SECOND_STEPS)[number];

/** The public directories that know services: name and website. */
export const DIRECTORIES = {
  deletion: { name: "JustDeleteMe", url: "https://justdeleteme.xyz" },
  secondStep: { name: "2FA Directory", url: "https://2fa.directory" },
  passkeys: { name: "Passkeys Directory", url: "https://passkeys.2fa.directory" },
} as const;
export type DirectoryName = keyof typeof DIRECTORIES;

/**
 * Where to act at a breached service. Links are https; null means that nothing is known. `asOf` is the date of the directory's
 * snapshot, YYYY-MM-DD.
 */
export type ServiceHelp = {
  domain: string;
  /** Its page for changing the password. */
  changePassword: string | null;
  deletion: { difficulty: DeletionDifficulty; url: string | null; email: string | null; asOf: string } | null;
  /** The strongest first; empty if it offers none. */
  secondStep: { kinds: SecondStep[]; url: string | null; asOf: string } | null;
  /** `signsIn`: they replace the password; else they are a second step. */
  passkeys: { signsIn: boolean; url: string | null; asOf: string } | null;
};
