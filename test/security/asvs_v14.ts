import { by, deviates, row } from "./asvs_row.ts";

/** Data protection. */
export const V14 = [
  row(
    "14.1.1",
    2,
    "all data has a level of protection",
    by(
      ["security/document_test.ts", "assign every table a level of protection"],
      ["export_flow_test.ts", "contains every column that must be exported"],
    ),
  ),
  row(
    "14.1.2",
    2,
    "each level says what protects it",
    by(["security/document_test.ts", "assign every table a level of protection"]),
  ),
  row(
    "14.2.1",
    1,
    "nothing secret stands in a URL",
    deviates(
      "links carry their token behind the #; the one exception is the address of RFC 8058's one-click header, which mail providers call and which can do nothing but stop messages",
    ),
  ),
  row(
    "14.2.2",
    2,
    "nothing sensitive stays in caches",
    by(
      ["http/security_test.ts", "keep API responses out of every cache unless the route says otherwise"],
      ["notifications/queue_test.ts", "stores the code only sealed, and erases it once it is sent"],
    ),
  ),
  row(
    "14.2.3",
    2,
    "nothing goes to strangers",
    by(
      ["e2e/logos_test.ts", "are loaded from our own origin only, once the server has fetched them"],
      ["notifications/message_test.ts", "%s loads no remote content and has no scripts"],
      ["web/legal_test.ts", "names exactly the recipients of data in this installation"],
    ),
  ),
  row(
    "14.2.4",
    2,
    "what the levels say is done",
    by(
      ["deletion_flow_test.ts", "leaves no trace of it in any table, nor in the log"],
      ["backup/policy_test.ts", "the restore policy covers every table"],
      ["identity/login_test.ts", "login() stores the code nowhere in the clear"],
    ),
  ),
  row(
    "14.3.1",
    1,
    "the browser forgets at the end of a session",
    by(
      ["web/two_tabs_test.ts", "back and forward after logging out show the login, and nothing private"],
      ["web/lost_session_test.ts", "input is not shown to another account that logs in next, nor after a logout"],
      [
        "web/two_tabs_test.ts",
        "logging out continues while the browser still waits for a response, and leaves nothing in the tab",
      ],
    ),
  ),
  row(
    "14.3.2",
    2,
    "browsers keep nothing sensitive",
    by(
      ["http/security_test.ts", "keep API responses out of every cache unless the route says otherwise"],
      ["web/installable_test.ts", "is all that is cached: no page, no API response"],
    ),
  ),
  row(
    "14.3.3",
    2,
    "browser storage holds nothing sensitive",
    deviates(
      "when a session ends under somebody's hands, what was typed into open forms waits in that tab's session storage for the same account's next sign-in, so that nothing typed is lost; never a password, and not after logging out",
    ),
  ),
];
