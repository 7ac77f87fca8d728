import type { ApiTokenInput } from "../../src/identity/api_tokens/api_token_inputs.ts";
import { type Answer, get, post, remove } from "./call.ts";

export type ApiTokens = Answer<"/api/tokens", "$get">;
export type ApiToken = ApiTokens["items"][number];

/** API calls for personal access tokens. */
export const apiTokensApi = {
  list: () => get("/api/tokens"),
  create: (body: ApiTokenInput) => post("/api/tokens", { body }),
  revoke: (id: string) => remove("/api/tokens/:id", { params: { id } }),
  revokeAll: () => post("/api/tokens/revoke-all"),
};
