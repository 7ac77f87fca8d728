import type { Answer } from "./call.ts";

export type ApiTokens = Answer<"/api/tokens", "$get">;
export type ApiToken = ApiTokens["items"][number];
