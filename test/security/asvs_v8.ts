import { by, row } from "./asvs_row.ts";

/** Authorization. */
export const V8 = [
  row(
    "8.1.1",
    1,
    "access rules for functions and data are documented",
    by(
      ["security/document_test.ts", "state who may do what"],
      ["http/openapi_test.ts", "defines for every route who may call it, and its name"],
    ),
  ),
  row(
    "8.1.2",
    2,
    "field-level access rules are documented",
    by(["security/document_test.ts", "state who may do what"]),
  ),
  row(
    "8.2.1",
    1,
    "function-level access is enforced",
    by(
      ["security/route_guards_test.ts", "refuses requests without a session and with a partial one: %s"],
      ["http/token_matrix_test.ts", "accepts a token with its scope, and no others"],
      [
        "http/staff_test.ts",
        "are open from the next request after the mark was set, and closed from the next after it was removed",
      ],
    ),
  ),
  row(
    "8.2.2",
    1,
    "row-level access is enforced",
    by(
      ["consent/matrix_test.ts", "reveals nothing to other accounts and a blocked inviter: %p"],
      ["http/api_test.ts", "respond the same for a foreign and an unknown association"],
      ["tickets/conversation_test.ts", "cannot be found by anybody else, with any call"],
    ),
  ),
  row(
    "8.2.3",
    2,
    "field-level access is enforced",
    by(
      ["breaches/scope_test.ts", "without details prevents searches from revealing the breach"],
      ["identity/profile_http_test.ts", "PUT /api/profile rejects foreign fields"],
      [
        "http/staff_test.ts",
        "a plan that was granted takes effect, and its account page shows everything except secrets and alerts",
      ],
    ),
  ),
  row(
    "8.3.1",
    1,
    "authorization is enforced on the server",
    by(
      ["consent/matrix_test.ts", "covers every API call about consent, and no other"],
      [
        "http/token_matrix_test.ts",
        "does the same for a token with every scope as for a person, or accepts no token at all",
      ],
    ),
  ),
  row(
    "8.4.1",
    2,
    "accounts are isolated from each other",
    by(
      ["tracking/scale_test.ts", "reads nothing of other accounts, and never the whole table"],
      ["export_flow_test.ts", "contains no secret, and nobody else's data"],
      ["deletion_flow_test.ts", "affects no other account"],
    ),
  ),
];
