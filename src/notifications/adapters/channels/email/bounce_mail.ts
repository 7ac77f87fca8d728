import type { Bounce } from "../../../contacts/bounces.ts";

/** The second one is sent by servers that support internationalized mail (RFC 6533). */
const STATUS_TYPES = ["message/delivery-status", "message/global-delivery-status"];
const TAGGED = /bounce\+([0-9a-f]{32}\.[0-9a-f]{16})@/i;
/** Only the beginning of a mail is read: the status precedes the returned mail, and parsing a megabyte takes a second. */
export const READ_MAX = 128 * 1024;
/** Headers in which mail servers name the envelope recipient. */
const HEADERS = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/** A field of a delivery status (RFC 3464), with its continuation lines unfolded. */
function fieldOf(report: string, name: string): string {
  const line = new RegExp(`^${name}:[ \\t]*([^\\r\\n]*(?:\\r?\\n[ \\t]+[^\\r\\n]*)*)`, "im").exec(report)?.[1] ?? "";
  return line.replaceAll(/\s+/g, " ").trim();
}

/** Parses a bounce as sent by a mail server; undefined when it concerns no mail of ours. */
export async function readBounce(raw: Uint8Array): Promise<Bounce | undefined> {
  const read = raw.subarray(0, READ_MAX);
  // Without one of our tags parsing is pointless.
  if (!TAGGED.test(new TextDecoder("latin1").decode(read))) return undefined;
  // Loaded on demand, as bounces are rare and the package is large.
  const { default: PostalMime } = await import("postal-mime");
  const mail = await PostalMime.parse(read, { forceRfc822Attachments: true });
  const addressed = mail.headers.filter(({ key }) => HEADERS.includes(key)).map(({ value }) => value);
  const token = TAGGED.exec(addressed.join(" "))?.[1];
  const part = mail.attachments.find(({ mimeType }) => STATUS_TYPES.includes(mimeType));
  if (token === undefined || part === undefined) return undefined;
  const report = typeof part.content === "string" ? part.content : new TextDecoder().decode(part.content);
  const action = fieldOf(report, "Action").toLowerCase();
  const status = /^\d\.\d{1,3}\.\d{1,3}/.exec(fieldOf(report, "Status"))?.[0];
  if (action !== "failed" || status === undefined) return undefined;
  return { token, status, diagnostic: fieldOf(report, "Diagnostic-Code").replace(/^[\w-]+;\s*/, "") };
}
