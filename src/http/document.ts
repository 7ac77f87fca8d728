import { hash } from "node:crypto";
import { brotliCompressSync, constants, crc32, deflateRawSync } from "node:zlib";
import { contentSecurityPolicy, NONCE_LENGTH } from "./security.ts";

const NONCE = "__STYLE_NONCE__";
const GZIP_HEADER = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3];
/** The header byte of DEFLATE's final stored block, and the most bytes that such a block can hold. */
const [STORED_LAST, LONGEST_BLOCK] = [1, 0xffff];
/** Brotli's empty final block. */
const BROTLI_END = 3;

/** The supported content encodings, the best compression first. */
export const ENCODINGS = ["br", "gzip"] as const;
export type Encoding = (typeof ENCODINGS)[number];

function hashesOf(html: string, pattern: RegExp): string[] {
  return [...html.matchAll(pattern)].map(([, text = ""]) => `sha256-${hash("sha256", text, "base64")}`);
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
/** A compressed answer without its nonce: where the nonce goes, and how to update the checksum after it. */
type Frame = { bytes: Buffer<ArrayBuffer>; backFrom: number; updateChecksum(bytes: Buffer): void };

/** Front and back as one gzip stream: the back is a stored (uncompressed) block, followed by the checksum. */
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
    bytes,
    backFrom,
    updateChecksum: (filled) => filled.writeUInt32LE(crc32(filled.subarray(backFrom, endFrom), checksum), endFrom),
  };
}

/** The same in Brotli: an uncompressed block with its length in the header, then an empty final block. */
function brotlied(front: Bytes, back: Bytes): Frame {
  // The highest quality would take 300 ms for a prerendered page, to save a tenth.
  const packed = brotliCompressSync(front, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 9 },
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
  });
  const head = Buffer.alloc(3);
  head.writeUIntLE(((back.length - 1) << 3) | (1 << 19), 0, 3);
  const bytes = Buffer.concat([packed, head, back, Buffer.from([BROTLI_END])]);
  return { bytes, backFrom: packed.length + head.length, updateChecksum: () => {} };
}

const PACKINGS = { br: brotlied, gzip: gzipped };

/** Writes the nonce to these offsets of the back, reusing one buffer. */
function filling({ bytes, backFrom, updateChecksum }: Frame, places: number[]): (nonce: string) => Bytes {
  return (nonce) => {
    for (const place of places) bytes.write(nonce, backFrom + place, "latin1");
    updateChecksum(bytes);
    return bytes;
  };
}

/**
 * A page whose answers differ only in the nonce. Everything before the nonce is compressed once, on first use; the rest follows
 * in an uncompressed block, which both encodings support. So a long page should have its nonces near the end. Compressing the
 * 120 KB of the login page for each answer would take up to 1 ms, and leave less than the 5,000 answers a second that we
 * promise.
 */
export function packedDocument(html: string) {
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
    plain: (nonce: string) => front + back(nonce),
    /** The content security policy that allows the page's inline code and what carries the nonce. */
    policy: policyOf(html),
    /** A shared buffer that the next call overwrites; copy it immediately, as `Response` does. */
    packed(encoding: Encoding, nonce: string): Bytes {
      ready[encoding] ??= packing(encoding);
      return ready[encoding](nonce);
    },
  };
}

export type Document = ReturnType<typeof packedDocument>;
