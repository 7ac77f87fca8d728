import { by, deviates, none, row } from "./asvs_row.ts";

/** File handling: users upload none; logos are fetched by the server, datasets are imported by the operator. */
export const V5 = [
  row(
    "5.1.1",
    2,
    "permitted file types and sizes are documented",
    by(["security/document_test.ts", "list expensive operations and their limits"]),
  ),
  row(
    "5.2.1",
    1,
    "file sizes are limited",
    by(
      ["http/api_test.ts", "a chunked body without a length is limited, too"],
      ["notifications/bounce_mail_test.ts", "rejects an oversized mail before reading it"],
      ["contracts/logo_source_test.ts", "stores nothing for this response: %s"],
    ),
  ),
  row(
    "5.2.2",
    1,
    "file contents match the declared type",
    by(
      ["breaches/logo_image_test.ts", "recognises %s by its bytes"],
      ["contracts/logo_source_test.ts", "uses the bytes of %s, whatever Content-Type is sent"],
    ),
  ),
  row(
    "5.2.3",
    2,
    "compressed files are checked before decompression",
    deviates(
      "only the operator imports compressed files; they are decompressed as a stream, line by line within bounds, and never held as a whole, so their size is not checked beforehand",
    ),
  ),
  row(
    "5.3.1",
    1,
    "uploaded files are never executed",
    none("people upload no files; pictures are rows in the database, served with a policy that allows no execution"),
  ),
  row(
    "5.3.2",
    1,
    "file paths are not built from user input",
    by(
      ["notifications/mailbox_test.ts", "serve nothing outside their folder"],
      ["http/pages_test.ts", "%s does not lead out of the folder"],
    ),
  ),
  row(
    "5.4.1",
    2,
    "download names are set by the server",
    by(
      ["breaches/alerts_http_test.ts", "return the file as an attachment that must not be cached"],
      ["export_flow_test.ts", "is a file with the date in its name"],
    ),
  ),
  row(
    "5.4.2",
    2,
    "file names cannot inject headers",
    by(["export_flow_test.ts", "is a file with the date in its name"]),
  ),
  row(
    "5.4.3",
    2,
    "untrusted files are scanned for malware",
    none(
      "no person's file is served to another; logos are complete pictures in known formats, recognised by their content",
    ),
  ),
];
