import { type GuardOptions, guardedRequests } from "../../../outbound/guarded.ts";
import { objectIn, sendRequest } from "../../../outbound/request.ts";
import { type AliasService, MAX_ALIASES } from "../../../shared/aliases.ts";
import { EMAIL_TYPED_MAX, normaliseEmail } from "../../../shared/email_address.ts";
import type { OutboundProxy } from "../../../shared/outbound_proxy.ts";
import type { AliasDirectory, AliasList } from "../../alias_ports.ts";

/** The services' own page size, and ours for addy. */
const PAGE = 20;
const MOST_PAGES = MAX_ALIASES / PAGE;
const TIMEOUT_MS = 10_000;
/** For all pages of a list. */
const DEADLINE_MS = 60_000;
/** Of a page: each alias may have a note and names of mailboxes. */
const MAX_PAGE_BYTES = 512 * 1024;

type Contract = {
  /** Pages are counted from 0. */
  page(base: URL, page: number): URL;
  headers(key: string): Record<string, string>;
  /** The list in a page's body. */
  field: string;
  /** The service's own domains for aliases; those below them are named after its customers. Any other can be a customer's. */
  domains: string[];
};

const CONTRACTS: Record<AliasService, Contract> = {
  // https://github.com/simple-login/app/blob/master/docs/api.md, "GET /api/v2/aliases"
  simplelogin: {
    page: (base, page) => within(base, `api/v2/aliases?page_id=${page}`),
    headers: (key) => ({ authentication: key }),
    field: "aliases",
    // https://simplelogin.io/docs/getting-started/restore-alias/, "SimpleLogin domains" and "SimpleLogin subdomain"
    domains: [
      ...["simplelogin.com", "simplelogin.co", "simplelogin.fr", "aleeas.com"],
      ...["slmail.me", "8alias.com", "8shield.net", "dralias.com"],
    ],
  },
  // https://app.addy.io/docs/, "Get all Aliases"
  addy: {
    page: (base, page) => within(base, `api/v1/aliases?page[number]=${page + 1}&page[size]=${PAGE}`),
    headers: (key) => ({ authorization: `Bearer ${key}`, "x-requested-with": "XMLHttpRequest" }),
    field: "data",
    // https://addy.io/help/what-are-the-different-kinds-of-aliases/, "Your username subdomain" and "Shared domain aliases"
    domains: ["anonaddy.com", "anonaddy.me", "addymail.com", "mailer.me"],
  },
};

/** Also below a path, where some host such a service. */
function within(base: URL, path: string): URL {
  return new URL(path, base.href.endsWith("/") ? base : `${base.href}/`);
}

type Options = {
  /** The services themselves, as the operator has configured them. */
  bases: Record<AliasService, string>;
  userAgent: string;
  timeoutMs?: number;
  deadlineMs?: number;
} & Pick<GuardOptions, "allowPrivate" | "resolve" | "resolveMs" | "ca"> & { proxy?: OutboundProxy | undefined };

/**
 * Reads lists of aliases page by page. Addresses that people name are reached by https only, and only on the public internet;
 * redirects are never followed, as they would carry the key elsewhere.
 */
export function aliasServices({
  bases,
  userAgent,
  timeoutMs = TIMEOUT_MS,
  deadlineMs = DEADLINE_MS,
  ...guard
}: Options): AliasDirectory {
  const { send } = guardedRequests({ ...guard, timeoutMs });

  function get(url: URL, headers: Record<string, string>, isOurs: boolean, signal: AbortSignal) {
    const request = {
      method: "GET" as const,
      headers: { accept: "application/json", "user-agent": userAgent, ...headers },
      body: "",
      bodyLimit: MAX_PAGE_BYTES,
      signal,
    };
    return isOurs ? sendRequest(url, { ...request, timeoutMs, ca: guard.ca, proxy: guard.proxy }) : send(url, request);
  }

  return {
    async list({ service, key, base }) {
      const contract = CONTRACTS[service];
      const found = new Set<string>();
      const deadline = AbortSignal.timeout(deadlineMs);
      for (let page = 0; page <= MOST_PAGES; page++) {
        const url = contract.page(base ?? new URL(bases[service]), page);
        const answer = await get(url, contract.headers(key), base === undefined, deadline);
        if (answer.kind !== "answer") return { kind: "unavailable", reason: answer.reason };
        const addresses = listIn(answer, contract.field);
        if (!Array.isArray(addresses)) return addresses;
        for (const address of addresses) found.add(address);
        if (addresses.length < PAGE) return listOf([...found], contract);
      }
      return { kind: "tooMany" };
    },
  };
}

function listOf(addresses: string[], { domains }: Contract): AliasList {
  const isProven = (address: string) => {
    const domain = normaliseEmail(address)?.split("@").at(-1) ?? "";
    return domains.some((own) => domain === own || domain.endsWith(`.${own}`));
  };
  return { kind: "list", addresses, proven: addresses.filter(isProven) };
}

/** The addresses of a page, or why there are none. Entries without an address are an answer that cannot be read. */
function listIn({ status, text }: { status: number; text: string }, field: string): string[] | AliasList {
  if (status === 401 || status === 403) return { kind: "refused" };
  if (status !== 200) return { kind: "unavailable", reason: `the status ${status}` };
  const items = objectIn(text)?.[field];
  if (!Array.isArray(items)) return { kind: "unavailable", reason: "the answer cannot be read" };
  const addresses = items.map((item: unknown) => addressIn(item));
  if (!addresses.every((address) => address !== undefined))
    return { kind: "unavailable", reason: "the answer cannot be read" };
  return addresses;
}

function addressIn(item: unknown): string | undefined {
  const email = typeof item === "object" && item !== null && "email" in item ? item.email : undefined;
  return typeof email === "string" && email.length <= EMAIL_TYPED_MAX ? email : undefined;
}
