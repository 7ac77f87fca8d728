import type { ApiScope } from "../../src/shared/api_scopes.ts";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import type { signedUp, worldOn } from "../support/world.ts";

type World = ReturnType<typeof worldOn>;
type Call = Awaited<ReturnType<typeof signedUp>>;

/** Created by a user on the page of personal tokens. */
export async function makeToken(call: Call, scopes: readonly ApiScope[] = API_SCOPES, days: number | null = 30) {
  const answer = await call("POST", "/api/tokens", { name: "Home server", scopes, days });
  if (answer.status !== 201) throw new Error(`Cannot make a token: ${await answer.text()}`);
  return (await answer.json()) as { id: string; token: string };
}

/** A program: it has a token and nothing else. */
export function program({ app }: Pick<World, "app">, token: string, more: Record<string, string> = {}) {
  return async (method: string, path: string, body?: unknown) =>
    app.request(path, {
      method,
      headers: {
        Authorization: `Bearer ${token}`,
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...more,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
