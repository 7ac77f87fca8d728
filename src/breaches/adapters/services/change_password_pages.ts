import { type GuardOptions, guardedRequests } from "../../../outbound/guarded.ts";
import type { ChangePasswordPages, PageAnswer } from "../../ports.ts";

const MOST_REDIRECTS = 5;
const PAGE = "/.well-known/change-password";
/** The W3C's probe: a server that answers it with success does so for any path. */
const NONSENSE = "/.well-known/resource-that-should-not-exist-whose-status-code-should-not-be-200";

type Options = GuardOptions & {
  userAgent: string;
  /** The origin of a domain; https on its standard port by default. */
  originOf?: (domain: string) => string;
};

/** Asks over https, on public addresses only, and follows redirects with the same guard at each step. */
export function changePasswordPages({ userAgent, originOf, ...guard }: Options): ChangePasswordPages {
  const { send } = guardedRequests(guard);

  /** The status behind all redirects; a text says why there is none. */
  async function statusOf(first: URL): Promise<number | string> {
    let url = first;
    for (let redirects = 0; redirects <= MOST_REDIRECTS; redirects++) {
      const headers = { accept: "text/html", "user-agent": userAgent };
      const answer = await send(url, { method: "GET", headers, body: "" });
      if (answer.kind !== "answer") return answer.reason;
      const to = answer.status >= 300 && answer.status < 400 ? answer.header("location") : undefined;
      const next = to === undefined ? null : URL.parse(to, url.href);
      if (next === null) return answer.status;
      url = next;
    }
    return "it redirects without end";
  }

  const isSuccess = (status: number) => status >= 200 && status < 300;

  return {
    async ask(domain): Promise<PageAnswer> {
      const origin = originOf?.(domain) ?? `https://${domain}`;
      const page = await statusOf(new URL(PAGE, origin));
      if (typeof page === "string") return { kind: "later", reason: page };
      if (page === 429 || page >= 500) return { kind: "later", reason: `the status ${page}` };
      if (!isSuccess(page)) return { kind: "none" };
      const nonsense = await statusOf(new URL(NONSENSE, origin));
      if (typeof nonsense === "string") return { kind: "later", reason: nonsense };
      return { kind: isSuccess(nonsense) ? "none" : "page" };
    },
  };
}
