import { by, none, row } from "./asvs_row.ts";

const NO_GRAPHQL = none("GraphQL is not used");
const NO_WEBSOCKET = none("WebSocket is not used");

/** API and web service. */
export const V4 = [
  row(
    "4.1.1",
    1,
    "every response states its content type and character set",
    by(
      ["http/pages_test.ts", "serve a file with its type and the policy of every response"],
      ["http/logos_test.ts", "serves the image to everybody, cacheable forever, with nothing in it executable"],
    ),
  ),
  row(
    "4.1.2",
    2,
    "the API does not redirect from http to https",
    none("Breachbell never redirects to https: it speaks plain http behind the operator's proxy"),
  ),
  row(
    "4.1.3",
    2,
    "clients cannot forge proxy headers",
    by(
      ["http/client_ip_test.ts", "does not depend on anything that the client writes into the header"],
      ["http/client_ip_test.ts", "is the client's own address if it connects to the server directly"],
    ),
  ),
  row(
    "4.2.1",
    2,
    "message boundaries are parsed according to HTTP",
    by(["security/smuggling_test.ts", "is treated as one request at most, and never as a second one hidden in it: %s"]),
  ),
  row("4.3.1", 2, "expensive GraphQL queries", NO_GRAPHQL),
  row("4.3.2", 2, "GraphQL introspection", NO_GRAPHQL),
  row("4.4.1", 1, "WebSocket over TLS", NO_WEBSOCKET),
  row("4.4.2", 2, "WebSocket origin", NO_WEBSOCKET),
  row("4.4.3", 2, "WebSocket tokens", NO_WEBSOCKET),
  row("4.4.4", 2, "WebSocket tokens come from a session", NO_WEBSOCKET),
];
