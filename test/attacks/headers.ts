import { LANGUAGES } from "../../src/shared/language.ts";
import { atMost, type Finding } from "../faults/bench.ts";
import type { Size } from "./goal.ts";
import { type Browser, person, type Target } from "./target.ts";

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "object-src 'none'",
  "frame-ancestors 'none'",
  "connect-src 'self'",
  "font-src 'self'",
  "require-trusted-types-for 'script'",
  "report-to policy",
];

/** For responses that are not pages: nothing in them may be executed. */
const DATA_POLICY = [
  ...["default-src 'none'", "form-action 'none'", "base-uri 'none'", "object-src 'none'", "frame-ancestors 'none'"],
  ...["require-trusted-types-for 'script'", "trusted-types 'none'", "report-to policy"],
];

/** Calls that end the browser's session. */
const LEAVING = /^POST \/api\/(logout|profile\/delete)$/;

/** A response's headers, compared with the required ones. */
function headerFaults(route: string, status: number, headers: Headers): string[] {
  const policy = headers.get("Content-Security-Policy") ?? "";
  const isApi = / \/api\//.test(route);
  const isData = / \/(api|assets)\//.test(route) && !headers.get("Content-Type")?.startsWith("text/html");
  const wrong: [string, boolean][] = [
    [
      "policy",
      (isData ? DATA_POLICY : POLICY).some((part) => !policy.includes(part)) || /unsafe|https?:|\*/.test(policy),
    ],
    ["reports", headers.get("Reporting-Endpoints") !== 'policy="/api/policy-reports"'],
    ["nosniff", headers.get("X-Content-Type-Options") !== "nosniff"],
    ["referrer", headers.get("Referrer-Policy") !== "no-referrer"],
    ["opener", headers.get("Cross-Origin-Opener-Policy") !== "same-origin"],
    ["resource", headers.get("Cross-Origin-Resource-Policy") !== "same-origin"],
    ["permissions", !headers.get("Permissions-Policy")?.includes("camera=()")],
    ["https", !/^max-age=\d{8,}/.test(headers.get("Strict-Transport-Security") ?? "")],
    ["cors", headers.has("Access-Control-Allow-Origin") && !/ \/(api\/)?service-/.test(route)],
    ["banner", headers.has("Server") || headers.has("X-Powered-By")],
    [
      "type",
      status !== 204 &&
        status !== 304 &&
        !route.startsWith("HEAD") &&
        !(status >= 300 && status < 400) &&
        !headers.has("Content-Type"),
    ],
    ["cache", isApi && status >= 400 && headers.get("Cache-Control") !== "no-store"],
    ["leaving", status === 200 && LEAVING.test(route) && headers.get("Clear-Site-Data") !== '"cache"'],
    ["cookie", headers.getSetCookie().some((set) => !isStrictCookie(set))],
  ];
  return wrong.filter(([, is]) => is).map(([name]) => name);
}

const isStrictCookie = (set: string): boolean =>
  /^__Host-/.test(set) &&
  /; Secure/i.test(set) &&
  /; HttpOnly/i.test(set) &&
  /; SameSite=Lax/i.test(set) &&
  /; Path=\/(;|$)/i.test(set) &&
  !/; Domain/i.test(set) &&
  set.length <= 4096;

/** S10, S30, S31: every response of the whole run, including pages, files and failures of each kind. */
export async function everyAnswer(target: Target, { long }: Size): Promise<Finding[]> {
  const visitor: Browser = target.browser();
  const page = await visitor.call("GET", "/en/login");
  const files = [...page.text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path = ""]) => path);
  for (const path of [
    ...files,
    "/",
    "/en/error-page?err=404",
    "/xx",
    "/no/such/file.js",
    "/.env",
    "/.well-known/security.txt",
    "/livez",
    "/readyz",
    "/metrics",
    "/sw.js",
  ])
    await visitor.call("GET", path);
  for (const language of long ? LANGUAGES : []) await visitor.call("GET", `/${language}/register`);
  await visitor.call("PUT", "/api/login");
  await (await person(target, "s31@example.net")).call("POST", "/api/logout");
  await visitor.call("POST", "/api/nothing");
  const faults = new Map<string, string>();
  for (const { route, status, headers } of target.seen)
    for (const fault of headerFaults(route, status, headers)) faults.set(fault, `${route} ${status}`);
  const kinds = new Set(target.seen.map(({ status }) => status));
  const cookies = target.seen.flatMap(({ headers }) => headers.getSetCookie());
  for (const [fault, where] of faults) console.error(`S31: ${fault}, for example ${where}`);
  const of = (names: string[]) => [...faults.keys()].filter((fault) => names.includes(fault)).length;
  return [
    atMost("S10", `cookies without one of their protections, of ${cookies.length}`, of(["cookie"]), 0),
    atMost("S30", `answers without the whole policy, of ${target.seen.length}`, of(["policy"]), 0),
    atMost(
      "S31",
      `headers that some answer lacks, of ${target.seen.length} answers with ${kinds.size} statuses`,
      faults.size - of(["cookie", "policy"]),
      0,
    ),
  ];
}
