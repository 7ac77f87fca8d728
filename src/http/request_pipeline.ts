import { getPath } from "hono/utils/url";
import { hostIn } from "./host.ts";
import type { Page } from "./pages.ts";
import type { securityHeaders } from "./security.ts";
import { BACKGROUND_POLL, type Visit } from "./session.ts";

/** What stands for the route of all pages. */
export const PAGE = "(page)";
/** What stands for the route where there is none. */
export const NONE = "(none)";

/** What is said of a request before it is answered; `isBackgroundPoll`: nobody asked for it by hand. */
export type Asked = { method: string; requestId: string; parent: string | undefined; isBackgroundPoll: boolean };
export type Outcome = { response: Response; status: number; route: string; isUnderMaintenance: boolean };

type Front = {
  newId: () => string;
  security: ReturnType<typeof securityHeaders>;
  /** Follows each request to its answer. */
  watch: (asked: Asked, work: () => Outcome | Promise<Outcome>) => Response | Promise<Response>;
  /** Runs `work` as what is done for this request. */
  within: (requestId: string, work: () => Promise<Response>) => Promise<Response>;
  /** Whether this is a proxy whose word counts. */
  isBelieved: (address: string) => boolean;
  /** The page at an address, where it is known at once that it is one and may be shown. */
  pageAt: (address: string, asked: Headers) => Page | undefined;
  /** Answers all else. */
  routes: (request: Request, visit: Visit) => Response | Promise<Response>;
};

/**
 * What every answer has, whoever gives it: an id, the headers, a line in the log and its place in the figures. Nothing is
 * answered around it. Pages, which are asked for most and by anybody, need none of the routes.
 */
export function front({ newId, security, watch, within, isBelieved, pageAt, routes }: Front) {
  const ready = new WeakMap<Page["headers"], Headers>();

  function show({ body, headers, policy }: Page, requestId: string): Response {
    const all = ready.get(headers) ?? new Headers({ ...headers, ...security.always });
    ready.set(headers, all);
    // An answer copies what it is given, which takes less time than to set it there.
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
      // Of an answer to HEAD the server that sends it leaves the body out, and says how long it is.
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
      // The path is read from the address, which is only whole with a host; HTTP/1.0 can come without one.
      if (host === null ? request.url.startsWith("/") : hostIn(host) === undefined) return refuse(requestId);
      const page = method === "GET" || method === "HEAD" ? pageAt(request.url, headers) : undefined;
      if (page === undefined) return ask();
      return { response: show(page, requestId), status: 200, route: PAGE, isUnderMaintenance: false };
    });
  };
}
