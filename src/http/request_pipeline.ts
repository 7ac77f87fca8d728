import { getPath } from "hono/utils/url";
import { hostIn } from "./host.ts";
import type { Page } from "./pages.ts";
import type { securityHeaders } from "./security.ts";
import { BACKGROUND_POLL, type Visit } from "./session.ts";

/** The route label of all pages. */
export const PAGE = "(page)";
/** The route label of requests that match no route. */
export const NONE = "(none)";

/** What is known of a request before it is answered; `isBackgroundPoll`: a page sent it without the user's action. */
export type Asked = { method: string; requestId: string; parent: string | undefined; isBackgroundPoll: boolean };
export type Outcome = { response: Response; status: number; route: string; isUnderMaintenance: boolean };

type Front = {
  newId: () => string;
  security: ReturnType<typeof securityHeaders>;
  /** Measures each request until its answer. */
  watch: (asked: Asked, work: () => Outcome | Promise<Outcome>) => Response | Promise<Response>;
  /** Runs `work` in the context of this request. */
  within: (requestId: string, work: () => Promise<Response>) => Promise<Response>;
  /** Whether this address is a trusted proxy. */
  isBelieved: (address: string) => boolean;
  /** The page at a URL, where it is certain without routing that it is one and may be shown. */
  pageAt: (address: string, asked: Headers) => Page | undefined;
  /** Answers everything else. */
  routes: (request: Request, visit: Visit) => Response | Promise<Response>;
};

/** Gives every answer an id, the security headers, a log line and metrics. Pages, the most frequent requests, skip the router. */
export function front({ newId, security, watch, within, isBelieved, pageAt, routes }: Front) {
  const ready = new WeakMap<Page["headers"], Headers>();

  function show({ body, headers, policy }: Page, requestId: string): Response {
    const all = ready.get(headers) ?? new Headers({ ...headers, ...security.always });
    ready.set(headers, all);
    // Copying the headers in the constructor is faster than setting them on the answer.
    all.set("Content-Security-Policy", policy);
    all.set("X-Request-Id", requestId);
    return new Response(body, { headers: all });
  }

  function refuse(requestId: string): Outcome {
    const response = new Response(null, { status: 400, headers: { ...security.always, "X-Request-Id": requestId } });
    return { response, status: 400, route: NONE, isUnderMaintenance: false };
  }

  return (request: Request, from: Pick<Partial<Visit>, "ip"> = {}): Response | Promise<Response> => {
    const { method, headers } = request;
    const requestId = newId();
    const isBackgroundPoll = headers.has(BACKGROUND_POLL);
    const trace = headers.get("traceparent");
    const parent = trace !== null && isBelieved(from.ip ?? "") ? trace : undefined;

    async function ask() {
      const visit: Visit = { requestId, ip: from.ip };
      // The server omits the body of an answer to HEAD and sets its length.
      const asked = method === "HEAD" ? new Request(request, { method: "GET" }) : request;
      const response = await within(requestId, async () => routes(asked, visit));
      security.complete(response.headers, getPath(request));
      response.headers.set("X-Request-Id", requestId);
      return {
        response,
        status: response.status,
        route: visit.route ?? PAGE,
        isUnderMaintenance: visit.isUnderMaintenance === true,
      };
    }

    return watch({ method, requestId, parent, isBackgroundPoll }, () => {
      const host = headers.get("Host");
      // The path is read from the URL, which is complete only with a host; HTTP/1.0 requests may lack one.
      if (host === null ? request.url.startsWith("/") : hostIn(host) === undefined) return refuse(requestId);
      const page = method === "GET" || method === "HEAD" ? pageAt(request.url, headers) : undefined;
      if (page === undefined) return ask();
      return { response: show(page, requestId), status: 200, route: PAGE, isUnderMaintenance: false };
    });
  };
}
