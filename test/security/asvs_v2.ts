import { by, row } from "./asvs_row.ts";

/** Validation and business logic. */
export const V2 = [
  row(
    "2.1.1",
    1,
    "validation rules for each input are documented",
    by(
      ["http/api_test.ts", "describes every route of the API, with the schemas that validate"],
      ["http/openapi_test.ts", "describes every operation, parameter and field"],
    ),
  ),
  row(
    "2.1.2",
    2,
    "validation rules for combined inputs are documented",
    by(["security/document_test.ts", "list settings that must be consistent"]),
  ),
  row(
    "2.1.3",
    2,
    "business limits are documented",
    by(["security/document_test.ts", "state the limits for log-ins and requests, with the figures of the code"]),
  ),
  row(
    "2.2.1",
    1,
    "input is validated against an allow-list or a schema",
    by(
      ["tracking/inputs_test.ts", "rejects the unknown key %s"],
      ["identity/inputs_test.ts", "registerInput rejects non-objects and unknown keys"],
      ["http/api_test.ts", "unknown fields are rejected, and nothing is stored"],
    ),
  ),
  row(
    "2.2.2",
    1,
    "input is validated on the server",
    by([
      "http/api_test.ts",
      "has a specific response for a body that is not JSON, of the wrong shape, too large or of another type",
    ]),
  ),
  row(
    "2.2.3",
    2,
    "related inputs have to be consistent",
    by(
      ["identity/inputs_test.ts", "registerInput reports mismatched passwords even if the first is invalid"],
      ["operations/incidents_test.ts", "accept an end for maintenance only, and later than its start"],
      ["tracking/inputs_test.ts", "rejects %s"],
    ),
  ),
  row(
    "2.3.1",
    1,
    "no step of a flow can be skipped",
    by(
      ["identity/verify_code_test.ts", "verifyCode() requires a session"],
      ["billing/changes_test.ts", "refuses a quote that is old, manipulated, of another account, or for another time"],
      ["invitations/links_test.ts", "are refused before the answer"],
    ),
  ),
  row(
    "2.3.2",
    2,
    "the documented limits are enforced",
    by(
      ["tracking/cap_test.ts", "adds exactly one address when the plan has room for one"],
      [
        "notifications/contact_test.ts",
        "asks one address at most three times a week, across all accounts and even after they were deleted",
      ],
      ["notifications/test_alerts_test.ts", "allows forty an hour, even if they are concurrent"],
    ),
  ),
  row(
    "2.3.3",
    2,
    "operations are transactional",
    by(
      [
        "database/memory_test.ts",
        "restores everything if the callback throws: changed, added and deleted rows in every table, in their order",
      ],
      ["database/server_test.ts", "commits the changes of its callback, and rolls back all of them if it throws"],
      ["flows_test.ts", "loses no alert, and duplicates a message only if the provider's response was lost"],
    ),
  ),
  row(
    "2.3.4",
    2,
    "limited resources cannot be taken twice",
    by(
      ["tracking/cap_consent_test.ts", "one free place admits exactly one of twenty invitations, and asks one owner"],
      ["billing/checkout_test.ts", "of ten concurrent clicks one gets a page and the others are told to wait"],
    ),
  ),
  row(
    "2.4.1",
    2,
    "automated overuse of expensive functions is prevented",
    by(
      [
        "identity/register_test.ts",
        "register() allows ten attempts per client and hour, not counting those with an invalid password",
      ],
      ["http/token_end_test.ts", "is returned with every response, and with a wait when it is reached"],
      ["tickets/http_test.ts", "refuses the eleventh in an hour, with the time to wait"],
    ),
  ),
];
