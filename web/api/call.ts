import type { ExtractSchema } from "hono/types";
import type { App } from "../../src/server/api_routes.ts";
import type { ErrorCode } from "../../src/shared/result.ts";

/** What the server said, or that it could not be reached. */
export type FailureCode = ErrorCode | "UNREACHABLE";

export type ApiError = Error & {
  code: FailureCode;
  fields: Record<string, ErrorCode>;
  /** Whole seconds until it is worth trying again. */
  retryAfter: number | undefined;
};

type FailureBody = { code: ErrorCode; fields?: Record<string, ErrorCode>; retryAfter?: number };

function apiError(code: FailureCode, { fields = {}, retryAfter }: Partial<FailureBody> = {}): ApiError {
  return Object.assign(new Error(code), { name: "ApiError", code, fields, retryAfter });
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError";
}

/** What the server's routes answer, as their own code says. */
type Api = ExtractSchema<App>;
type PathOf<Method extends string> = { [Path in keyof Api]: Method extends keyof Api[Path] ? Path : never }[keyof Api];
export type Answer<Path extends keyof Api, Method extends string> = Api[Path][Method & keyof Api[Path]] extends {
  output: infer Output;
}
  ? Exclude<Output, { code: ErrorCode }>
  : never;

type Details = {
  /** For the `:name` parts of the path. */
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: object;
  signal?: AbortSignal | undefined;
};

export function urlOf(path: string, { params = {}, query = {} }: Details): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, `${value}`);
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** A server that is busy for so long at most, such as while others behind the same network sign in, is asked again. */
const PATIENCE_SECONDS = 2;
const ASKED_AGAIN = 3;

/** The value of a call, or an `ApiError`. Every call to the server goes through here. */
export async function call<Value>(method: string, path: string, details: Details, again = ASKED_AGAIN): Promise<Value> {
  const { body, signal } = details;
  const headers = {
    ...(body && { "Content-Type": "application/json" }),
    // A session that only a tab out of sight asks for is an idle one.
    ...(document.hidden && { "X-Unattended": "1" }),
  };
  const sent = body && { body: JSON.stringify(body) };
  const request = { method, headers, credentials: "same-origin", ...sent, ...(signal && { signal }) } as const;
  const response = await fetch(urlOf(path, details), request).catch(() => {
    throw apiError("UNREACHABLE");
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as Value;
  const failure = (answer ?? {}) as Partial<FailureBody>;
  const { code = "GENERIC", retryAfter = Number.POSITIVE_INFINITY } = failure;
  if (again > 0 && code === "BUSY" && retryAfter <= PATIENCE_SECONDS) {
    // Whoever was refused at one moment does not come again at one moment.
    const wait = (retryAfter + Math.random()) * 1000;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return call(method, path, details, again - 1);
  }
  throw apiError(code, failure);
}

export function get<Path extends PathOf<"$get"> & string>(path: Path, details: Details = {}) {
  return call<Answer<Path, "$get">>("GET", path, details);
}

export function post<Path extends PathOf<"$post"> & string>(path: Path, details: Details = {}) {
  return call<Answer<Path, "$post">>("POST", path, { body: {}, ...details });
}

export function put<Path extends PathOf<"$put"> & string>(path: Path, details: Details) {
  return call<Answer<Path, "$put">>("PUT", path, details);
}

/** Not `delete`, which is a word of the language. */
export function remove<Path extends PathOf<"$delete"> & string>(path: Path, details: Details = {}) {
  return call<Answer<Path, "$delete">>("DELETE", path, details);
}
