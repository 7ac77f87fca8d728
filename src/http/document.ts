import { createHash } from "node:crypto";
import { constants, crc32, deflateRawSync } from "node:zlib";
import { contentSecurityPolicy } from "./security.ts";

const NONCE = "__STYLE_NONCE__";
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
/** How a block begins that is the last and is stored as it is, and what it can hold. */
const [STORED_LAST, LONGEST_BLOCK] = [1, 0xffff];

export type Document = {
  plain(nonce: string): string;
  gzip(nonce: string): Blob;
  /** Lets in what the page itself brings along, and what carries the nonce. */
  policy(nonce: string): string;
};

function hashesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(
    ([, text]) =>
      `sha256-${createHash("sha256")
        .update(text ?? "")
        .digest("base64")}`,
  );
}

function policyOf(html: string): (nonce: string) => string {
  const inline = {
    scripts: hashesOf(html, /<script>(.*?)<\/script>/gs),
    styles: hashesOf(html, /<style(?: data-[^>]*)?>(.*?)<\/style>/gs),
  };
  const [before = "", after = ""] = contentSecurityPolicy(NONCE, inline).split(NONCE);
  return (nonce) => before + nonce + after;
}

/**
 * A page that differs from answer to answer by its nonce alone. All in front of the nonce is packed once; the rest follows as
 * it is, which gzip has a form for. So a nonce belongs near the end of a long page.
 */
export function packedDocument(html: string): Document {
  const [front = "", ...others] = html.split(NONCE);
  const back = (nonce: string) => others.map((part) => nonce + part).join("");
  const bytes = new TextEncoder().encode(front);
  const packed = deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const checksum = crc32(bytes);
  const ready = new Blob([Buffer.from(GZIP_HEADER), packed]);
  return {
    plain: (nonce) => front + back(nonce),
    policy: policyOf(html),
    gzip(nonce) {
      const rest = Buffer.from(back(nonce));
      if (rest.length > LONGEST_BLOCK) throw new Error("Cannot pack a page with its nonce so far from the end");
      const end = Buffer.alloc(5 + rest.length + 8);
      end.writeUInt8(STORED_LAST);
      end.writeUInt16LE(rest.length, 1);
      end.writeUInt16LE(rest.length ^ LONGEST_BLOCK, 3);
      end.set(rest, 5);
      end.writeUInt32LE(crc32(rest, checksum), 5 + rest.length);
      end.writeUInt32LE(bytes.length + rest.length, 9 + rest.length);
      return new Blob([ready, end]);
    },
  };
}
