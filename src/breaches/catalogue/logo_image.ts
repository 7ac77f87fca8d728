export const IMAGE_ENDINGS = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/gif": "gif",
  "image/webp": "webp",
} as const;
export type ImageType = keyof typeof IMAGE_ENDINGS;

/** Larger pictures are no logos, and costly to decode in browsers. */
const LONGEST_SIDE = 4096;

type Size = { width: number; height: number };
type Format = {
  type: ImageType;
  matches: (bytes: Uint8Array) => boolean;
  isWhole: (bytes: Uint8Array) => boolean;
  sizeOf: (bytes: Uint8Array) => Size | undefined;
};

const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
const textAt = (bytes: Uint8Array, start: number, end: number) =>
  String.fromCharCode(...bytes.subarray(start < 0 ? Math.max(0, bytes.length + start) : start, end));
const u24 = (data: DataView, at: number) => data.getUint16(at, true) | (data.getUint8(at + 2) << 16);

function webpSize(bytes: Uint8Array): Size | undefined {
  const data = view(bytes);
  switch (textAt(bytes, 12, 16)) {
    case "VP8X":
      return { width: u24(data, 24) + 1, height: u24(data, 27) + 1 };
    case "VP8 ":
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
    case "VP8L": {
      const bits = data.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    default:
      return undefined;
  }
}

/** The first frame header (SOF) among a JPEG's segments. */
function jpegSize(bytes: Uint8Array): Size | undefined {
  const data = view(bytes);
  for (let at = 2; data.getUint8(at) === 0xff; at += 2 + data.getUint16(at + 2)) {
    const marker = data.getUint8(at + 1);
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame) return { height: data.getUint16(at + 5), width: data.getUint16(at + 7) };
  }
  return undefined;
}

const FORMATS: Format[] = [
  {
    type: "image/png",
    matches: (bytes) => textAt(bytes, 0, 8) === "\x89PNG\r\n\x1a\n" && textAt(bytes, 12, 16) === "IHDR",
    isWhole: (bytes) => textAt(bytes, -12, bytes.length) === "\0\0\0\0IEND\xaeB`\x82",
    sizeOf: (bytes) => ({ width: view(bytes).getUint32(16), height: view(bytes).getUint32(20) }),
  },
  {
    type: "image/jpeg",
    matches: (bytes) => textAt(bytes, 0, 3) === "\xff\xd8\xff",
    isWhole: (bytes) => textAt(bytes, -2, bytes.length) === "\xff\xd9",
    sizeOf: jpegSize,
  },
  {
    type: "image/gif",
    matches: (bytes) => /^GIF8[79]a$/.test(textAt(bytes, 0, 6)),
    isWhole: (bytes) => textAt(bytes, -1, bytes.length) === ";",
    sizeOf: (bytes) => ({ width: view(bytes).getUint16(6, true), height: view(bytes).getUint16(8, true) }),
  },
  {
    type: "image/webp",
    matches: (bytes) => textAt(bytes, 0, 4) === "RIFF" && textAt(bytes, 8, 12) === "WEBP",
    isWhole: (bytes) => view(bytes).getUint32(4, true) + 8 === bytes.length,
    sizeOf: webpSize,
  },
];

/** Detects the type of a picture from its bytes, regardless of its Content-Type, or why it is rejected. */
export function readImage(bytes: Uint8Array): { type: ImageType } | { problem: string } {
  const format = FORMATS.find(({ matches }) => matches(bytes));
  if (format === undefined) return { problem: "it is no PNG, JPEG, GIF or WebP" };
  try {
    if (!format.isWhole(bytes)) return { problem: "it is cut off" };
    const size = format.sizeOf(bytes);
    if (size === undefined || size.width === 0 || size.height === 0) return { problem: "it has no size" };
    if (Math.max(size.width, size.height) > LONGEST_SIDE) return { problem: "it has too many pixels" };
    return { type: format.type };
  } catch {
    // Shorter than its headers.
    return { problem: "it is cut off" };
  }
}
