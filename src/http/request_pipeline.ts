import { getPath } from "hono/utils/url";
import { hostIn } from "./host.ts";
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
  secure: ReturnType<typeof securityHeaders>;
  /** Measures each request until its answer. */
  watch: (asked: Asked, work: () => Promise<Outcome>) => Promise<Response>;
  /** Runs `work` in the context of this request. */
  within: (requestId: string, work: () => Promise<Response>) => Promise<Response>;
  /** Whether this address is a trusted proxy. */
  isBelieved: (address: string) => boolean;
  routes: (request: Request, visit: Visit) => Response | Promise<Response>;
};

/** Gives every answer an id, the security headers, a log line and metrics. */
export function front({ newId, secure, watch, within, isBelieved, routes }: Front) {
  return async (request: Request, from: Pick<Partial<Visit>, "ip"> = {}): Promise<Response> => {
    const { method, headers } = request;
    const requestId = newId();
    const isBackgroundPoll = headers.has(BACKGROUND_POLL);
    const trace = headers.get("traceparent");
    const parent = trace !== null && isBelieved(from.ip ?? "") ? trace : undefined;

    async function answer(visit: Visit): Promise<Response> {
      const host = headers.get("Host");
      // The path is read from the URL, which is complete only with a host; HTTP/1.0 requests may lack one.
      const isComplete = host === null ? !request.url.startsWith("/") : hostIn(host) !== undefined;
      if (!isComplete) {
        visit.route = NONE;
        return new Response(null, { status: 400 });
      }
      // The server omits the body of an answer to HEAD and sets its length.
      const asked = method === "HEAD" ? new Request(request, { method: "GET" }) : request;
      return within(requestId, async () => routes(asked, visit));
    }

    return watch({ method, requestId, parent, isBackgroundPoll }, async () => {
      const visit: Visit = { requestId, ip: from.ip };
      const response = await answer(visit);
      secure(response.headers, getPath(request));
      response.headers.set("X-Request-Id", requestId);
      return {
        response,
        status: response.status,
        route: visit.route ?? PAGE,
        isUnderMaintenance: visit.isUnderMaintenance === true,
      };
    });
  };
}
