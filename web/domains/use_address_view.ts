import type { AddressFilter, MailboxKind } from "../api/domains_api.ts";
import { useSearchChanges } from "../ui/display/use_search_changes.ts";
import { KINDS } from "./counts.tsx";

/** What the list shows; "" where nothing is chosen. `address` is the open one, before the "@". */
export type AddressView = { kind: MailboxKind | ""; breach: string; search: string; address: string };
export type ShowAddresses = (change: Partial<AddressView>) => void;

const NAMES = ["kind", "breach", "search", "address"] as const;

function viewOf(params: URLSearchParams): AddressView {
  const of = (name: (typeof NAMES)[number]) => params.get(name) ?? "";
  return {
    kind: KINDS.find((kind) => kind === of("kind")) ?? "",
    breach: of("breach"),
    search: of("search"),
    address: of("address"),
  };
}

function paramsOf(view: AddressView): URLSearchParams {
  return new URLSearchParams(NAMES.flatMap((name) => (view[name] === "" ? [] : [[name, view[name]]])));
}

export function filterOf({ kind, breach, search }: AddressView): AddressFilter {
  return { breach, search, ...(kind !== "" && { kind }) };
}

/** What the list of addresses shows, kept in the page's address. */
export function useAddressView(): { view: AddressView; show: ShowAddresses } {
  const { params, change } = useSearchChanges();
  return {
    view: viewOf(params),
    show: (next) =>
      change((current) => paramsOf({ ...viewOf(current), ...next }), { replace: true, preventScrollReset: true }),
  };
}
