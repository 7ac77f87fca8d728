import { type GuardOptions, guardedRequests } from "../../../outbound/guarded.ts";
import { type DomainProofs, PROOF_NAME, type ProofLook } from "../../proof_ports.ts";
import { hasLine, hasMeta } from "./proof_page.ts";
import { lookInDns } from "./proof_record.ts";

const MOST_REDIRECTS = 3;
const REDIRECTS = [301, 302, 303, 307, 308];
/** Answers that say that there is no such page. */
const NO_PAGE = [404, 410];
const HTML = /^(text\/html|application\/xhtml\+xml)\s*(;|$)/i;
const DNS_TIMEOUT_MS = 10_000;
const FILE = "/.well-known/breachbell.txt";

type Options = GuardOptions & {
  userAgent: string;
  /** Name servers, as `address:port`; the system's by default. */
  servers?: string[];
  dnsTimeoutMs?: number;
  /** The origin of a domain; https on its standard port by default. */
  originOf?: (domain: string) => string;
};
type Page = { kind: "page"; text: string; isHtml: boolean; isCutOff: boolean } | Exclude<ProofLook, { kind: "found" }>;

const unreachable = (reason: string) => ({ kind: "unreachable" as const, reason });

/** Whether it is the same host or its `www.` twin, by https on the same port. */
function isSamePlace(url: URL, first: URL): boolean {
  const isTwin = `www.${url.hostname}` === first.hostname || url.hostname === `www.${first.hostname}`;
  const isHost = isTwin || url.hostname === first.hostname;
  return isHost && url.protocol === "https:" && url.port === first.port && url.username === "" && url.password === "";
}

/**
 * Asks the name servers for the record, and the domain's web server, by https on public addresses only, for the file and the page,
 * of which it reads the first 64 KB.
 */
export function domainProofs({ userAgent, servers, dnsTimeoutMs, originOf, ...guard }: Options): DomainProofs {
  const { send } = guardedRequests(guard);

  async function pageAt(first: URL): Promise<Page> {
    let url = first;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const headers = { accept: "text/html, text/plain", "user-agent": userAgent };
      const answer = await send(url, { method: "GET", headers, body: "", keepsStart: true });
      if (answer.kind !== "answer") return unreachable(answer.reason);
      const { status, text, isCutOff = false } = answer;
      const isHtml = HTML.test(answer.header("content-type") ?? "");
      if (status === 200) return { kind: "page", text, isHtml, isCutOff };
      if (NO_PAGE.includes(status)) return { kind: "missing" };
      if (!REDIRECTS.includes(status)) return unreachable(`the status ${status}`);
      const next = URL.parse(answer.header("location") ?? "", url.href);
      if (next === null || !isSamePlace(next, first)) return { kind: "missing" };
      url = next;
    }
    return { kind: "missing" };
  }

  async function lookAt(url: URL, isIn: (page: { text: string; isHtml: boolean }) => boolean): Promise<ProofLook> {
    const page = await pageAt(url);
    if (page.kind !== "page") return page;
    if (isIn(page)) return { kind: "found" };
    return page.isCutOff ? unreachable("the page did not arrive whole") : { kind: "missing" };
  }

  return {
    async look(domain, proof, value) {
      const origin = originOf?.(domain) ?? `https://${domain}`;
      if (URL.parse(origin)?.hostname !== domain) return unreachable("it is no name of a domain");
      if (proof === "dns")
        return lookInDns(`_breachbell.${domain}`, value, { servers, timeoutMs: dnsTimeoutMs ?? DNS_TIMEOUT_MS });
      if (proof === "file") return lookAt(new URL(FILE, origin), ({ text }) => hasLine(text, value));
      const token = value.startsWith(`${PROOF_NAME}=`) ? value.slice(PROOF_NAME.length + 1) : value;
      return lookAt(new URL("/", origin), ({ text, isHtml }) => isHtml && hasMeta(text, token));
    },
  };
}
