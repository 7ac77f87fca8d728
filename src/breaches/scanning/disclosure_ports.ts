import type { DisclosureForm } from "../../shared/disclosure.ts";

/** That a source was told an address: in which form, when first and last, and how often. */
export type Disclosure = { source: string; form: DisclosureForm; firstAt: Date; lastAt: Date; times: number };

/** What each source was told about each tracked address. */
export type DisclosureRepository = {
  /** Counts that the source has just been told these addresses. */
  note(addresses: string[], told: Pick<Disclosure, "source" | "form">, now: Date): Promise<void>;
  /** The latest first. */
  list(address: string): Promise<Disclosure[]>;
  /** Removes what is noted about those of the addresses that nobody tracks any more. */
  removeUnwatched(addresses: string[]): Promise<void>;
};
