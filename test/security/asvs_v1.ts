import { by, none, row } from "./asvs_row.ts";

/** Encoding and sanitization. */
export const V1 = [
  row(
    "1.1.1",
    2,
    "input is decoded once, before it is validated",
    by(
      ["http/body_test.ts", "json() passes valid input on"],
      ["http/pages_test.ts", "%s does not lead out of the folder"],
    ),
  ),
  row(
    "1.1.2",
    2,
    "output is escaped as the last step",
    by(
      ["notifications/telegram_text_test.ts", "escapes every value, and otherwise consists of Telegram's few tags"],
      ["http/page_head_test.ts", "pageHead() escapes what it fills in"],
    ),
  ),
  row(
    "1.2.1",
    1,
    "escaping suits its context: HTML, attributes, headers",
    by(
      [
        "notifications/security_message_test.ts",
        "%s arrives as one mail to one recipient, with its texts as plain text",
      ],
      ["notifications/email_test.ts", "lets no text become a header"],
    ),
  ),
  row(
    "1.2.2",
    1,
    "URL parts are encoded, and only safe schemes are allowed",
    by(
      ["breaches/hibp_test.ts", "12.4 lookUp() sends each address as one encoded path segment"],
      ["breaches/description_test.ts", "of 1,245 links all with https are kept with their address, and no other"],
    ),
  ),
  row(
    "1.2.3",
    1,
    "JavaScript and JSON are never built by concatenation",
    by(
      ["security/gaps_test.ts", "evaluates no text as code, and starts no program but its own"],
      ["http/body_test.ts", "json() repeats none of the input"],
    ),
  ),
  row(
    "1.2.4",
    1,
    "queries are parameterised",
    by(["security/gaps_test.ts", "builds SQL only from constant text and parameters"]),
  ),
  row(
    "1.2.5",
    1,
    "no operating system command is built from input",
    by(["security/gaps_test.ts", "evaluates no text as code, and starts no program but its own"]),
  ),
  row("1.2.6", 2, "LDAP", none("no directory service is used")),
  row("1.2.7", 2, "XPath", none("no XML is processed")),
  row("1.2.8", 2, "LaTeX", none("no LaTeX is processed")),
  row(
    "1.2.9",
    2,
    "input is escaped before it is used in a regular expression",
    by(["security/gaps_test.ts", "builds no regular expression from input"]),
  ),
  row(
    "1.3.1",
    1,
    "untrusted HTML is sanitised",
    by(["breaches/description_test.ts", "nothing of %p can run, load or mislead"]),
  ),
  row(
    "1.3.2",
    1,
    "no dynamic code execution",
    by(["security/gaps_test.ts", "evaluates no text as code, and starts no program but its own"]),
  ),
  row(
    "1.3.3",
    2,
    "data is sanitised and truncated before it reaches a dangerous context",
    by(
      ["notifications/security_message_test.ts", "names contain no clickable address, not even in plain text"],
      ["notifications/bounces_test.ts", "truncates a long diagnosis"],
      ["cli/terminal_test.ts", "external text cannot control the terminal"],
    ),
  ),
  row("1.3.4", 2, "untrusted SVG is not rendered", by(["breaches/logo_image_test.ts", "rejects %p"])),
  row(
    "1.3.5",
    2,
    "untrusted Markdown, CSS and similar content is not rendered",
    by([
      "notifications/announcement_messages_test.ts",
      "is plain text: nothing in an address or a label becomes a link",
    ]),
  ),
  row(
    "1.3.6",
    2,
    "server-side request forgery is prevented",
    by(
      [
        "notifications/webhook_test.ts",
        "send() connects to the address that was checked, even if the name resolves elsewhere a moment later",
      ],
      ["outbound/public_address_test.ts", "rejects a name as soon as one of its addresses is private"],
      ["notifications/ntfy_test.ts", "send() reaches no server in a private network except the installation's own"],
    ),
  ),
  row(
    "1.3.7",
    2,
    "templates are never built from untrusted input",
    by(
      ["notifications/every_message_test.ts", "that are missing fail this test, but not a message that is being sent"],
      ["notifications/telegram_text_test.ts", "escapes every value, and otherwise consists of Telegram's few tags"],
    ),
  ),
  row("1.3.8", 2, "JNDI", none("no Java is used")),
  row("1.3.9", 2, "memcache", none("memcache is not used")),
  row(
    "1.3.10",
    2,
    "format strings",
    none("the language has no format strings that read memory; texts are ICU messages from the repository"),
  ),
  row(
    "1.3.11",
    2,
    "mail input cannot inject SMTP commands",
    by(
      ["notifications/email_test.ts", "delivers to exactly the one stored recipient, whatever was typed"],
      ["contracts/message_sender_test.ts", "send() lets no text become a header, or another request"],
    ),
  ),
  row(
    "1.4.1",
    2,
    "memory-safe strings and pointers",
    none("TypeScript has no pointers; the one foreign call, flock(2), takes two integers"),
  ),
  row(
    "1.4.2",
    2,
    "numbers stay within their range",
    by(
      ["web/billing_rules_test.ts", "quantityOf() accepts whole numbers from 1 to 50, and is 1 for unlimited plans"],
      ["billing/plan_test.ts", "the offer contains each price once, as an integer"],
      ["breaches/logo_image_test.ts", "rejects more than 4,096 pixels a side, or none"],
    ),
  ),
  row(
    "1.4.3",
    2,
    "memory is released",
    none("memory is garbage-collected; connections and locks are released by `finally` and by leases"),
  ),
  row("1.5.1", 1, "XML parsers resolve no external entities", none("no XML is parsed")),
  row(
    "1.5.2",
    2,
    "deserialised input becomes plain data with a known schema",
    by(
      ["http/body_test.ts", "names unknown fields, including those that every object has"],
      ["breaches/hibp_catalogue_test.ts", "12.34 catalogue() names a few broken entries, and rejects a list with many"],
      ["cli/control_test.ts", "is rejected if it is no command, of another version, or endless"],
    ),
  ),
];
