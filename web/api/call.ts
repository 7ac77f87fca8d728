import type { ExtractSchema } from "hono/types";
import type { App } from "../../src/server/api_routes.ts";
import type { ErrorCode, Failure } from "../../src/shared/result.ts";
import { takeSentBefore } from "../app/hydration_handover.ts";

/** The error code of the response, or UNREACHABLE when there was none. */
export type FailureCode = ErrorCode | "UNREACHABLE";

export type ApiError = Error & {
  code: FailureCode;
  fields: Record<string, ErrorCode>;
  /** Whole seconds from the `Retry-After` header. */
  retryAfter: number | undefined;
  /** Where the site is to be opened, if this is not its address. */
  publicUrl: string | undefined;
};

type FailureBody = Omit<Failure, "ok">;

function apiError(code: FailureCode, { fields = {}, retryAfter, publicUrl }: Partial<FailureBody> = {}): ApiError {
  return Object.assign(new Error(code), { name: "ApiError", code, fields, retryAfter, publicUrl });
}

export function isApiError(error: unknown): error is ApiError {
  return error instanceof Error && error.name === "ApiError";
}

/** The response types, inferred from the server's routes. */
type Api = ExtractSchema<App>;
type PathOf<Method extends string> = { [Path in keyof Api]: Method extends keyof Api[Path] ? Path : never }[keyof Api];
export type Answer<Path extends keyof Api, Method extends string> = Api[Path][Method & keyof Api[Path]] extends {
  output: infer Output;
}
  ? Exclude<Output, { code: ErrorCode }>
  : never;

/** The body that the route accepts. */
export type Body<Path extends keyof Api, Method extends string> = Api[Path][Method & keyof Api[Path]] extends {
  input: { json: infer Input extends object };
}
  ? Input
  : never;

type Details<Input = object> = {
  /** Values for the `:name` parts of the path. */
  params?: Record<string, string>;
  query?: Record<string, string | number | undefined>;
  body?: Input;
  signal?: AbortSignal | undefined;
};

export function urlOf(path: string, { params = {}, query = {} }: Details): string {
  const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ""));
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") search.set(name, `${value}`);
  return search.size > 0 ? `${filled}?${search}` : filled;
}

/** A response that asks to retry within this time is retried automatically; a longer `Retry-After` is an error. */
const MAX_RETRY_AFTER_SECONDS = 2;
const RETRIES = 3;

/** Sends a request and returns its parsed response; throws an `ApiError`. */
export function call<Value>(method: string, path: string, details: Details): Promise<Value> {
  return send(method, path, details, (response) => response.json() as Promise<Value>);
}

/** Fetches a file; throws an `ApiError`. */
export function fetchFile<Path extends PathOf<"$post"> & string>(path: Path, details: Details<Body<Path, "$post">>) {
  return send("POST", path, details as Details, (response) => response.blob());
}

/** All requests to the server go through here. */
async function send<Value>(
  method: string,
  path: string,
  details: Details,
  read: (response: Response) => Promise<Value>,
  retries = RETRIES,
): Promise<Value> {
  const { body, signal } = details;
  const headers = {
    ...(body && { "Content-Type": "application/json" }),
    // A request from a hidden tab does not count as activity that keeps the session alive.
    ...(document.hidden && { "X-Unattended": "1" }),
  };
  const url = urlOf(path, details);
  const sent = body && { body: JSON.stringify(body) };
  const request = { method, headers, credentials: "same-origin", ...sent, ...(signal && { signal }) } as const;
  const response = await (takeSentBefore(url, sent?.body) ?? fetch(url, request)).catch(() => {
    throw apiError("UNREACHABLE");
  });
  const answer = response.ok ? await read(response).catch(() => undefined) : undefined;
  if (answer !== undefined) return answer;
  const failure = (response.ok ? {} : await response.json().catch(() => ({}))) as Partial<FailureBody>;
  const { code = "GENERIC", retryAfter = Number.POSITIVE_INFINITY } = failure;
  if (retries > 0 && code === "BUSY" && retryAfter <= MAX_RETRY_AFTER_SECONDS) {
    // Jitter: clients that were refused together must not retry together.
    const wait = (retryAfter + Math.random()) * 1000;
    await new Promise((resolve) => setTimeout(resolve, wait));
    return send(method, path, details, read, retries - 1);
  }
  throw apiError(code, failure);
}

export function get<Path extends PathOf<"$get"> & string>(path: Path, details: Details = {}) {
  return call<Answer<Path, "$get">>("GET", path, details);
}

export function post<Path extends PathOf<"$post"> & string>(path: Path, details: Details<Body<Path, "$post">> = {}) {
  return call<Answer<Path, "$post">>("POST", path, { body: {}, ...details });
}

export function put<Path extends PathOf<"$put"> & string>(path: Path, details: Details<Body<Path, "$put">>) {
  return call<Answer<Path, "$put">>("PUT", path, details);
}

/** Named `remove` because `delete` is a reserved word. */
export function remove<Path extends PathOf<"$delete"> & string>(path: Path, details: Details = {}) {
  return call<Answer<Path, "$delete">>("DELETE", path, details);
}
