import { beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { type Access, allOperations, isScope, scopesOf } from "../../src/http/operations.ts";
import { API_SCOPES, type ApiScope } from "../../src/shared/api_scopes.ts";
import { MINUTE } from "../support/clock.ts";
import { type Ground, memoryGround, signedUp, worldOn } from "../support/world.ts";
import { makeToken, narrowToken, program } from "./token_world.ts";

const ALICE = "alice@example.com";
const NOBODY = "00000000-0000-4000-8000-000000000000";
const DAY = 24 * 60 * MINUTE;
const CALLS = allOperations().filter(([route]) => route.includes(" /api/"));

let ground: Ground;
let world: ReturnType<typeof worldOn>;
let restore: () => void;
const tokens = {} as Record<ApiScope | "every" | "expired" | "revoked", string>;
let cookie = "";

beforeAll(async () => {
  ground = memoryGround();
  world = worldOn(ground);
  const call = await signedUp(world, ALICE);
  const confirmed = await call("POST", "/api/confirm-password", { password: "Tranquil-Harbour-42" });
  cookie = confirmed.headers.get("Set-Cookie")?.split(";")[0] ?? "";
  for (const scope of API_SCOPES) tokens[scope] = await narrowToken({ ground, world, email: ALICE }, scope);
  tokens.every = (await makeToken(call, API_SCOPES, null)).token;
  const revoked = await makeToken(call);
  tokens.revoked = revoked.token;
  await call("DELETE", `/api/tokens/${revoked.id}`);
  const expired = await makeToken(call, API_SCOPES, 30);
  tokens.expired = expired.token;
  restore = ground.snapshot();
});

beforeEach(() => restore());

/** A body for each call, so that every refusal is due to the caller. */
function send(token: string | undefined, route: string, headers: Record<string, string> = {}) {
  const [method = "", pattern = ""] = route.split(" ");
  const path = pattern.replaceAll(/:\w+/g, NOBODY);
  const body = ["POST", "PUT"].includes(method) ? {} : undefined;
  if (token !== undefined) return program(world, token, headers)(method, path, body);
  return world.app.request(path, {
    method,
    headers: { "Sec-Fetch-Site": "same-origin", ...(body && { "Content-Type": "application/json" }), ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
}

async function outcome(answer: Response): Promise<string> {
  const isJson = answer.headers.get("Content-Type")?.startsWith("application/json");
  const { code = "" } = isJson ? ((await answer.json()) as { code?: string }) : {};
  return `${answer.status} ${code}`.trim();
}

/** Calls with access may still fail for other reasons. */
const REFUSALS = ["TOKEN_INVALID", "TOKEN_NOT_ACCEPTED", "INSUFFICIENT_SCOPE", "UNAUTHENTICATED", "SESSION_EXPIRED"];
const isRefused = (found: string) => REFUSALS.some((code) => found.endsWith(code));

describe.each(CALLS)("%s", (route, { access, also }) => {
  test("works without a session only where it is public", async () => {
    const found = await outcome(await send(undefined, route));
    if (isScope(access)) expect(found).toBe("401 UNAUTHENTICATED");
    if (access === "open") expect(isRefused(found)).toBe(false);
  });

  // Webhooks of other services come before token checks, and have their own credentials.
  if (access === "service") return;

  test.each(["wrong", "expired", "revoked"] as const)("refuses a token that is %s", async (kind) => {
    const wrong = `${tokens.every.slice(0, -1)}${tokens.every.endsWith("A") ? "B" : "A"}`;
    if (kind === "expired") ground.clock.pass(31 * DAY);
    const answer = await send(kind === "wrong" ? wrong : tokens[kind], route, { Cookie: cookie });
    if (kind === "expired") ground.clock.pass(-31 * DAY);
    expect(await outcome(answer)).toBe("401 TOKEN_INVALID");
    expect(answer.headers.get("WWW-Authenticate")).toBe('Bearer realm="Breachbell", error="invalid_token"');
  });

  test("accepts a token with its scope, and no others", async () => {
    const needed = scopesOf({ access, ...(also && { also }) });
    for (const scope of API_SCOPES) {
      const answer = await send(tokens[scope], route, { Cookie: cookie });
      const found = await outcome(answer);
      expect(`${scope}: ${found}`).toBe(expectation({ access, needed }, scope, found));
      const told = answer.headers.get("WWW-Authenticate");
      if (found.endsWith("INSUFFICIENT_SCOPE"))
        expect(told).toBe(`Bearer realm="Breachbell", error="insufficient_scope", scope="${needed.join(" ")}"`);
    }
  });

  test("does the same for a token with every scope as for a person, or accepts no token at all", async () => {
    const found = await outcome(await send(tokens.every, route, { Cookie: cookie }));
    expect(isRefused(found)).toBe(access === "website");
    if (access === "website") expect(found).toBe("403 TOKEN_NOT_ACCEPTED");
  });
});

/** For an accepted token, any response but a refusal is valid. */
function expectation(
  { access, needed }: { access: Access; needed: ApiScope[] },
  scope: ApiScope,
  found: string,
): string {
  if (access === "website") return `${scope}: 403 TOKEN_NOT_ACCEPTED`;
  if (needed.some((each) => each !== scope)) return `${scope}: 403 INSUFFICIENT_SCOPE`;
  return isRefused(found) ? `${scope}: let in` : `${scope}: ${found}`;
}
