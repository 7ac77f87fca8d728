import { by, deviates, row } from "./asvs_row.ts";

/** Data protection. */
export const V14 = [
  row(
    "14.1.1",
    2,
    "all data is classified by protection level",
    by(
      ["security/document_test.ts", "assign every table a level of protection"],
      ["export_flow_test.ts", "contains every column that must be exported"],
    ),
  ),
  row(
    "14.1.2",
    2,
    "each protection level states its protective measures",
    by(["security/document_test.ts", "assign every table a level of protection"]),
  ),
  row(
    "14.2.1",
    1,
    "no sensitive data in URLs",
    deviates(
      "links carry their token after the #; the only exception is the URL in RFC 8058's one-click header, which mail providers call and which can only stop messages",
    ),
  ),
  row(
    "14.2.2",
    2,
    "sensitive data is not cached",
    by(
      ["http/security_test.ts", "keep API responses out of every cache unless the route says otherwise"],
      ["notifications/queue_test.ts", "stores the code only sealed, and erases it once it is sent"],
    ),
  ),
  row(
    "14.2.3",
    2,
    "no sensitive data is sent to third parties",
    by(
      ["e2e/logos_test.ts", "are loaded from our own origin only, once the server has fetched them"],
      ["notifications/message_test.ts", "%s loads no remote content and has no scripts"],
      ["web/legal_test.ts", "names exactly the recipients of data in this installation"],
    ),
  ),
  row(
    "14.2.4",
    2,
    "the protective measures of each level are in effect",
    by(
      ["deletion_flow_test.ts", "leaves no trace of it in any table, nor in the log"],
      ["backup/policy_test.ts", "the restore policy covers every table"],
      ["identity/login_test.ts", "login() stores the code nowhere in the clear"],
    ),
  ),
  row(
    "14.3.1",
    1,
    "data in the browser is cleared when a session ends",
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
    "browsers are told not to cache sensitive data",
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
      "when a session expires while somebody is working, the content of open forms is kept in that tab's session storage until the same account signs in again, so that no input is lost; never a password, and not after logging out",
    ),
  ),
];
