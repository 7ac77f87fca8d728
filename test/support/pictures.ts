import { crc32, deflateSync } from "node:zlib";

function chunk(name: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(name, "latin1"), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** A PNG of one colour; `noise` adds that many bytes. */
export function pngOf(width: number, height = width, { colour = [36, 85, 214], noise = 0 } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.from(Array.from({ length: width }, () => colour).flat())]);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const more = noise > 0 ? [chunk("tEXt", Buffer.alloc(noise, "x"))] : [];
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    ...[chunk("IHDR", head), ...more, chunk("IDAT", pixels), chunk("IEND", Buffer.alloc(0))],
  ]);
}

const base64 = (text: string) => Buffer.from(text, "base64");

/** One-pixel images, as common programs write them. */
export const PICTURES = {
  "image/png": pngOf(8),
  "image/gif": base64("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"),
  "image/webp": base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"),
  "image/jpeg": base64(
    "/9j/4AAQSkZJRgABAQEASABIAAD/2wBDAP//////////////////////////////////////////////////////////////////////////////////////2wBDAf//////////////////////////////////////////////////////////////////////////////////////wAARCAABAAEDASIAAhEBAxEB/8QAFQABAQAAAAAAAAAAAAAAAAAAAAX/xAAUEAEAAAAAAAAAAAAAAAAAAAAA/8QAFAEBAAAAAAAAAAAAAAAAAAAAAP/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/AL+AAf/Z",
  ),
} as const;
export const WEBP_LOSSLESS = base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA==");
/** Only the header of an extended WebP, 641 by 480 pixels. */
export const WEBP_EXTENDED = Buffer.concat([
  ...[Buffer.from("RIFF\x16\0\0\0WEBPVP8X\x0a\0\0\0", "latin1"), Buffer.from([0, 0, 0, 0, 0x80, 2, 0, 0xdf, 1, 0])],
]);
