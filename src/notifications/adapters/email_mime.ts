import { foldLines } from "nodemailer/lib/mime-funcs";
import MimeNode, { type MimeNodeHeaderValue } from "nodemailer/lib/mime-node";
import { encode } from "nodemailer/lib/qp";

export type Mail = { headers: Record<string, MimeNodeHeaderValue>; text: string; html: string };

const LINE = 76;
const MOST_KNOWN = 200;
/** What many mails have in common is encoded once. */
const SHARED = ["From", "Subject", "Auto-Submitted", "Content-Language", "List-Unsubscribe-Post", "MIME-Version"];

/** Encoded and folded, so that nobody's words begin another header. */
function header(key: string, value: MimeNodeHeaderValue): string {
  return `${foldLines(`${key}: ${MimeNode.encodeHeaderValue(key, value)}`, LINE)}\r\n`;
}

/** With soft breaks, none of them within the hex of a byte. nodemailer looks for where words end, which takes most of its time. */
function softBroken(line: string): string {
  const pieces: string[] = [];
  let from = 0;
  while (line.length - from > LINE) {
    const hex = line.lastIndexOf("=", from + LINE - 2);
    const to = hex > from + LINE - 4 ? hex : from + LINE - 1;
    pieces.push(line.slice(from, to));
    from = to;
  }
  return [...pieces, line.slice(from)].join("=\r\n");
}

function part(type: string, content: string): string {
  const body = encode(content.replaceAll(/\r\n?|\n/g, "\r\n"))
    .split("\r\n")
    .map(softBroken)
    .join("\r\n");
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}\r\n`;
}

/**
 * Puts a mail together in nodemailer's encodings, but at once: its own streams, a dozen for each mail, take longer than all
 * else that is done to send one.
 */
export function mimeWriter(): (mail: Mail) => string {
  const known = new Map<string, string>();

  function shared(key: string, value: MimeNodeHeaderValue): string {
    const name = JSON.stringify([key, value]);
    const written = known.get(name) ?? header(key, value);
    if (known.size >= MOST_KNOWN) known.clear();
    known.set(name, written);
    return written;
  }

  return ({ headers, text, html }) => {
    // No line of either part can hold it: "=" stands before two digits there, or at the end.
    const boundary = `=_${crypto.randomUUID()}`;
    const lines = Object.entries({ ...headers, "MIME-Version": "1.0" }).map(([key, value]) =>
      SHARED.includes(key) ? shared(key, value) : header(key, value),
    );
    const parts = [part("text/plain", text), part("text/html", html)].map((each) => `--${boundary}\r\n${each}`);
    return `${lines.join("")}Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n${parts.join("")}--${boundary}--\r\n`;
  };
}
