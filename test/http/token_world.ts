import type { ApiScope } from "../../src/shared/api_scopes.ts";
import { API_SCOPES } from "../../src/shared/api_scopes.ts";
import { memoryIdentity } from "../memory/identity/store.ts";
import type { Ground, signedUp, worldOn } from "../support/world.ts";

type World = ReturnType<typeof worldOn>;
type Call = Awaited<ReturnType<typeof signedUp>>;

/** Created by a user on the page of personal tokens. */
export async function makeToken(call: Call, scopes: readonly ApiScope[] = API_SCOPES, days: number | null = 30) {
  const answer = await call("POST", "/api/tokens", { name: "Home server", scopes, days });
  if (answer.status !== 201) throw new Error(`Cannot make a token: ${await answer.text()}`);
  return (await answer.json()) as { id: string; token: string };
}

type Owner = { ground: Ground; world: World; email: string };

/** A token with this scope alone, as could be created before some scopes required another one. */
export async function narrowToken({ ground, world, email }: Owner, scope: ApiScope): Promise<string> {
  const user = await ground.transactionOf(memoryIdentity)(({ users }) => users.findByEmail(email));
  const input = { name: "Former", scopes: [scope], days: 30 as const };
  const made = await world.identity.createApiToken(user?.id ?? "", input, { ip: "127.0.0.1", token: undefined });
  if (!made.ok) throw new Error(`Cannot make a token: ${made.code}`);
  return made.value.token;
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
