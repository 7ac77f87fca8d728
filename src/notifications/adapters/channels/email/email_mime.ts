import { foldLines } from "nodemailer/lib/mime-funcs";
import MimeNode, { type MimeNodeHeaderValue } from "nodemailer/lib/mime-node";

export type Mail = { headers: Record<string, MimeNodeHeaderValue>; text: string; html: string };

const LINE = 76;
const MOST_KNOWN = 200;
/** Headers that many mails share, which are encoded once. */
const SHARED = ["From", "Subject", "Auto-Submitted", "Content-Language", "List-Unsubscribe-Post", "MIME-Version"];

/** Ids and most addresses need no encoding; finding that out takes nodemailer longer than encoding the whole text. */
const PLAIN = /^(?:<[\w.-]+@[\w.-]+>|[\w-]+|[\w+-]+(?:\.[\w+-]+)*@[\w-]+(?:\.[\w-]+)+)$/;

function isPlain(key: string, text: MimeNodeHeaderValue): text is string {
  return typeof text === "string" && key.length + text.length < LINE - 2 && PLAIN.test(text);
}

/** Encoded and folded, so that no value can inject another header. */
function header(key: string, value: MimeNodeHeaderValue): string {
  const isBare = typeof value === "object" && value !== null && "address" in value && value.name === "";
  const bare = isBare ? value.address : value;
  if (isPlain(key, bare)) return `${key}: ${bare}\r\n`;
  return `${foldLines(`${key}: ${MimeNode.encodeHeaderValue(key, value)}`, LINE)}\r\n`;
}

/**
 * Soft line breaks of quoted-printable, never within an encoded byte. Unlike nodemailer it does not look for word boundaries,
 * which takes most of its time.
 */
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

/** What quoted-printable encodes: "=", everything but printable ASCII, and blanks at the end of a line. */
const BY_BYTES = /[^\t\r\n\x20-\x3c\x3e-\x7e]+|[\t ](?=\r|$)/g;
const hexOf = (text: string) => Buffer.from(text).toString("hex").toUpperCase().replaceAll(/../g, "=$&");
const encode = (text: string) => text.replaceAll(BY_BYTES, (found) => (found === "=" ? "=3D" : hexOf(found)));

function part(type: string, content: string): string {
  const body = encode(content.replaceAll(/\r\n?|\n/g, "\r\n"))
    .split("\r\n")
    .map(softBroken)
    .join("\r\n");
  return `Content-Type: ${type}; charset=utf-8\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n${body}\r\n`;
}

/**
 * Composes mails like nodemailer, but synchronously: its streams, a dozen for each mail, take longer than all other work of
 * sending.
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
    // Cannot occur in either part: in quoted-printable "=" precedes two hex digits or the end of a line.
    const boundary = `=_${crypto.randomUUID()}`;
    const lines = Object.entries({ ...headers, "MIME-Version": "1.0" }).map(([key, value]) =>
      SHARED.includes(key) ? shared(key, value) : header(key, value),
    );
    const parts = [part("text/plain", text), part("text/html", html)].map((each) => `--${boundary}\r\n${each}`);
    return `${lines.join("")}Content-Type: multipart/alternative;\r\n boundary="${boundary}"\r\n\r\n${parts.join("")}--${boundary}--\r\n`;
  };
}
