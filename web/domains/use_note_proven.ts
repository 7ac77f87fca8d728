import { toast } from "sonner";
import { shownDomain } from "../../src/shared/shown_address.ts";
import type { DomainState } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";

/** Returns a function that says that a domain is proven, and focuses the heading, as the card with the button is removed. */
export function useNoteProven(name: string) {
  const text = useText();
  return (state: DomainState) => {
    if (state !== "proven") return;
    toast.success(text("domain.proven_now", { domain: shownDomain(name) }));
    document.querySelector("h1")?.focus();
  };
}
