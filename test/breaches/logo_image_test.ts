import { describe, expect, test } from "bun:test";
import { readImage } from "../../src/breaches/catalogue/logo_image.ts";
import { PICTURES, pngOf, WEBP_EXTENDED, WEBP_LOSSLESS } from "../support/pictures.ts";

/** The bytes of a text. */
const bytesOf = (text: string) => Buffer.from(text, "latin1");

describe("readImage()", () => {
  test.each(Object.entries(PICTURES))("recognises %s by its bytes", (type, bytes) => {
    expect(readImage(bytes)).toEqual({ type: type as keyof typeof PICTURES });
  });

  test("recognises the other forms of WebP, and images inside a larger buffer", () => {
    for (const bytes of [WEBP_LOSSLESS, WEBP_EXTENDED]) expect(readImage(bytes)).toEqual({ type: "image/webp" });
    const within = Buffer.concat([Buffer.alloc(7, 1), PICTURES["image/png"], Buffer.alloc(9, 2)]);
    expect(readImage(within.subarray(7, -9))).toEqual({ type: "image/png" });
  });

  test.each(Object.entries(PICTURES))("rejects %s truncated at any position, and with trailing data", (_, bytes) => {
    for (let length = 0; length < bytes.length; length++)
      expect([length, readImage(bytes.subarray(0, length))]).toEqual([length, { problem: expect.any(String) }]);
    expect(readImage(Buffer.concat([bytes, bytesOf("<script>")]))).toEqual({ problem: "it is cut off" });
  });

  test("rejects more than 4,096 pixels a side, or none", () => {
    expect(readImage(pngOf(4096, 1))).toEqual({ type: "image/png" });
    for (const large of [pngOf(4097, 1), pngOf(1, 4097)])
      expect(readImage(large)).toEqual({ problem: "it has too many pixels" });
    expect(readImage(pngOf(0, 1))).toEqual({ problem: "it has no size" });
    const wide = Buffer.from(WEBP_EXTENDED);
    wide[26] = 1;
    expect(readImage(wide)).toEqual({ problem: "it has too many pixels" });
  });

  test.each([
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<?xml version="1.0"?><svg/>',
    "<!DOCTYPE html>",
    "\0\0\0\x1cftypavif",
    "BM",
    "GIF90a;",
    "RIFF\x04\0\0\0WEBP",
    "RIFF\x0c\0\0\0WEBPJUNK\0\0\0\0",
    "\x89PNG\r\n\x1a\n",
    "",
  ])("rejects %p", (text) => {
    expect(readImage(bytesOf(text))).toEqual({ problem: expect.any(String) });
  });
});
