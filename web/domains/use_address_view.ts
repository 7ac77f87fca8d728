import { useState } from "react";
import type { AddressFilter, MailboxKind } from "../api/domains_api.ts";

/** What the list shows; "" where nothing is chosen. `address` is the open one, before the "@". */
export type AddressView = { kind: MailboxKind | ""; breach: string; search: string; address: string };
export type ShowAddresses = (change: Partial<AddressView>) => void;

export function filterOf({ kind, breach, search }: AddressView): AddressFilter {
  return { search, ...(kind !== "" && { kind }), ...(breach !== "" && { breach }) };
}

/** What the list of addresses shows. Not in the page's URL, as no address belongs in histories and logs. */
export function useAddressView(): { view: AddressView; show: ShowAddresses } {
  const [view, setView] = useState<AddressView>({ kind: "", breach: "", search: "", address: "" });
  return { view, show: (change) => setView((current) => ({ ...current, ...change })) };
}
