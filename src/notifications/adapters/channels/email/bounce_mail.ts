import type { Bounce } from "../../../contacts/bounces.ts";

/** The part of an envelope sender before the plus sign's tag. */
export const BOUNCE_PREFIX = "bounce+";

/** The second by servers that speak UTF-8 (RFC 6533). */
const STATUS_TYPES = ["message/delivery-status", "message/global-delivery-status"];
const TAGGED = /bounce\+([0-9a-f]{32}\.[0-9a-f]{16})@/i;
/** Of a mail, what is read: the status stands before the mail that came back, and parsing a megabyte takes a second. */
export const READ_MAX = 128 * 1024;
/** Where mail servers write whom a mail was for. */
const HEADERS = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"];

/** A field of a delivery status (RFC 3464), its continuation lines joined. */
function fieldOf(report: string, name: string): string {
  const line = new RegExp(`^${name}:[ \\t]*([^\\r\\n]*(?:\\r?\\n[ \\t]+[^\\r\\n]*)*)`, "im").exec(report)?.[1] ?? "";
  return line.replaceAll(/\s+/g, " ").trim();
}

/** Reads a bounce as a mail server sends it; undefined when it is none of a mail of ours. */
export async function readBounce(raw: Uint8Array): Promise<Bounce | undefined> {
  const read = raw.subarray(0, READ_MAX);
  // Without a name of ours nothing needs to be parsed.
  if (!TAGGED.test(new TextDecoder("latin1").decode(read))) return undefined;
  // Bounces are rare, and the package is large.
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
