import { createHash } from "node:crypto";
import { brotliCompressSync, constants, crc32, deflateRawSync } from "node:zlib";
import { NONCE_LENGTH } from "./nonce.ts";
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
  /** To be copied at once, as `Response` does: the next answer is written over it. */
  packed(encoding: Encoding, nonce: string): Uint8Array<ArrayBuffer>;
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
/** An answer but for its nonce: where that goes, and what depends on it. */
type Frame = { bytes: Buffer<ArrayBuffer>; backFrom: number; seal(bytes: Buffer): void };

/** Front and back as one gzip stream: the back lies in a block that is stored as it is, behind which is its checksum. */
function gzipped(front: Bytes, back: Bytes): Frame {
  const packed = deflateRawSync(front, { level: 9, finishFlush: constants.Z_SYNC_FLUSH });
  const checksum = crc32(front);
  const head = Buffer.alloc(5);
  head.writeUInt8(STORED_LAST);
  head.writeUInt16LE(back.length, 1);
  head.writeUInt16LE(back.length ^ LONGEST_BLOCK, 3);
  const end = Buffer.alloc(8);
  end.writeUInt32LE(front.length + back.length, 4);
  const bytes = Buffer.concat([Buffer.from(GZIP_HEADER), packed, head, back, end]);
  const endFrom = bytes.length - end.length;
  const backFrom = endFrom - back.length;
  return {
    ...{ bytes, backFrom },
    seal: (filled) => filled.writeUInt32LE(crc32(filled.subarray(backFrom, endFrom), checksum), endFrom),
  };
}

/** The same in Brotli: a block that is stored begins with its length and a bit for that, and an empty one is the last. */
function brotlied(front: Bytes, back: Bytes): Frame {
  const packed = brotliCompressSync(front, { finishFlush: constants.BROTLI_OPERATION_FLUSH });
  const head = Buffer.alloc(3);
  head.writeUIntLE(((back.length - 1) << 3) | (1 << 19), 0, 3);
  const bytes = Buffer.concat([packed, head, back, Buffer.from([BROTLI_END])]);
  return { bytes, backFrom: packed.length + head.length, seal: () => {} };
}

const PACKINGS = { br: brotlied, gzip: gzipped };

/** The answer with its nonce in all these places of its back; the same bytes again and again. */
function filling({ bytes, backFrom, seal }: Frame, places: number[]): (nonce: string) => Bytes {
  return (nonce) => {
    for (const place of places) bytes.write(nonce, backFrom + place, "latin1");
    seal(bytes);
    return bytes;
  };
}

/**
 * A page that differs from answer to answer by its nonce alone. All in front of the nonce is packed once, when it is first
 * asked for; the rest follows as it is, which both forms have a way for. So a nonce belongs near the end of a long page.
 */
export function packedDocument(html: string): Document {
  const [front = "", ...others] = html.split(NONCE);
  const back = (nonce: string) => others.map((part) => nonce + part).join("");
  const ready: Partial<Record<Encoding, (nonce: string) => Bytes>> = {};

  function packing(encoding: Encoding): (nonce: string) => Bytes {
    const mark = "\0".repeat(NONCE_LENGTH);
    const text = Buffer.from(back(mark));
    if (text.length > LONGEST_BLOCK) throw new Error("Cannot pack a page with its nonce so far from the end");
    const places: number[] = [];
    for (let at = text.indexOf(mark); at >= 0; at = text.indexOf(mark, at + NONCE_LENGTH)) places.push(at);
    return filling(PACKINGS[encoding](new TextEncoder().encode(front), new Uint8Array(text)), places);
  }

  return {
    plain: (nonce) => front + back(nonce),
    policy: policyOf(html),
    packed(encoding, nonce) {
      ready[encoding] ??= packing(encoding);
      return ready[encoding](nonce);
    },
  };
}
