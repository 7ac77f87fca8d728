import { createHash } from "node:crypto";
import { brotliCompressSync, constants, crc32, deflateRawSync } from "node:zlib";
import { contentSecurityPolicy } from "./security.ts";

const NONCE = "__STYLE_NONCE__";
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
/** How a block begins that is the last and is stored as it is, and what it can hold. */
const [STORED_LAST, LONGEST_BLOCK] = [1, 0xffff];
/** The last block of Brotli, with nothing in it. */
const BROTLI_END = 3;

/** What browsers can unpack, the smallest first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export type Document = {
  plain(nonce: string): string;
  packed(encoding: Encoding, nonce: string): Blob;
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

type Bytes = Uint8Array<ArrayBuffer>;

/** Front and rest as one gzip stream: the rest lies in blocks that are stored as they are. */
function gzipped(front: Bytes): (rest: Buffer) => Blob {
  const packed = deflateRawSync(front, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const checksum = crc32(front);
  const ready = new Blob([Buffer.from(GZIP_HEADER), packed]);
  return (rest) => {
    const end = Buffer.alloc(5 + rest.length + 8);
    end.writeUInt8(STORED_LAST);
    end.writeUInt16LE(rest.length, 1);
    end.writeUInt16LE(rest.length ^ LONGEST_BLOCK, 3);
    end.set(rest, 5);
    end.writeUInt32LE(crc32(rest, checksum), 5 + rest.length);
    end.writeUInt32LE(front.length + rest.length, 9 + rest.length);
    return new Blob([ready, end]);
  };
}

/** The same in Brotli: a block that is stored begins with its length and a bit for that, and an empty one is the last. */
function brotlied(front: Bytes): (rest: Buffer) => Blob {
  const packed = brotliCompressSync(front, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const ready = new Blob([packed]);
  return (rest) => {
    const end = Buffer.alloc(3 + rest.length + 1);
    end.writeUIntLE(((rest.length - 1) << 3) | (1 << 19), 0, 3);
    end.set(rest, 3);
    end.writeUInt8(BROTLI_END, 3 + rest.length);
    return new Blob([ready, end]);
  };
}

const PACKINGS = { br: brotlied, gzip: gzipped };

/**
 * A page that differs from answer to answer by its nonce alone. All in front of the nonce is packed once, when it is first
 * asked for; the rest follows as it is, which both forms have a way for. So a nonce belongs near the end of a long page.
 */
export function packedDocument(html: string): Document {
  const [front = "", ...others] = html.split(NONCE);
  const back = (nonce: string) => others.map((part) => nonce + part).join("");
  const bytes = new TextEncoder().encode(front);
  const ready: Partial<Record<Encoding, (rest: Buffer) => Blob>> = {};
  return {
    plain: (nonce) => front + back(nonce),
    policy: policyOf(html),
    packed(encoding, nonce) {
      const rest = Buffer.from(back(nonce));
      if (rest.length > LONGEST_BLOCK) throw new Error("Cannot pack a page with its nonce so far from the end");
      ready[encoding] ??= PACKINGS[encoding](bytes);
      return ready[encoding](rest);
    },
  };
}
