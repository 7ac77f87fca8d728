import { by, deviates, none, row } from "./asvs_row.ts";

/** File handling: users upload none; logos are fetched by the server, datasets are imported by the operator. */
export const V5 = [
  row(
    "5.1.1",
    2,
    "what files may be, and how large, is documented",
    by(["security/document_test.ts", "list expensive operations and their limits"]),
  ),
  row(
    "5.2.1",
    1,
    "no file is larger than can be dealt with",
    by(
      ["http/api_test.ts", "a chunked body without a length is limited, too"],
      ["notifications/bounce_mail_test.ts", "rejects an oversized mail before reading it"],
      ["contracts/logo_source_test.ts", "stores nothing for this response: %s"],
    ),
  ),
  row(
    "5.2.2",
    1,
    "a file is what it says it is",
    by(
      ["breaches/logo_image_test.ts", "recognises %s by its bytes"],
      ["contracts/logo_source_test.ts", "uses the bytes of %s, whatever Content-Type is sent"],
    ),
  ),
  row(
    "5.2.3",
    2,
    "packed files are measured before they are unpacked",
    deviates(
      "only the operator imports packed files; they are unpacked as a stream, line by line within bounds, and never kept whole, so their size is not asked before",
    ),
  ),
  row(
    "5.3.1",
    1,
    "no uploaded file is run",
    none("people upload no files; pictures are rows of the database, served with a policy that lets nothing run"),
  ),
  row(
    "5.3.2",
    1,
    "no path is made of a stranger's name",
    by(
      ["notifications/mailbox_test.ts", "serve nothing outside their folder"],
      ["http/pages_test.ts", "%s does not lead out of the folder"],
    ),
  ),
  row(
    "5.4.1",
    2,
    "downloads have a name of ours",
    by(
      ["breaches/alerts_http_test.ts", "return the file as an attachment that must not be cached"],
      ["export_flow_test.ts", "is a file with the date in its name"],
    ),
  ),
  row("5.4.2", 2, "names of files break no header", by(["export_flow_test.ts", "is a file with the date in its name"])),
  row(
    "5.4.3",
    2,
    "files of strangers are scanned for viruses",
    none("no file of one person is served to another; logos are pictures by their own bytes, whole and of known forms"),
  ),
];
