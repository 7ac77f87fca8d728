import type { ApiScope } from "../../../src/shared/api_scopes.ts";
import type { TextId } from "../../app/text_id.ts";

/** The name and explanation of each scope. */
export const SCOPE_WORDS: Record<ApiScope, { name: TextId; what: TextId }> = {
  "addresses:read": { name: "api_tokens.scope.addresses_read", what: "api_tokens.scope.addresses_read_text" },
  "addresses:write": { name: "api_tokens.scope.addresses_write", what: "api_tokens.scope.addresses_write_text" },
  "alerts:read": { name: "api_tokens.scope.alerts_read", what: "api_tokens.scope.alerts_read_text" },
  "events:read": { name: "api_tokens.scope.events_read", what: "api_tokens.scope.events_read_text" },
  "alerts:write": { name: "api_tokens.scope.alerts_write", what: "api_tokens.scope.alerts_write_text" },
};
