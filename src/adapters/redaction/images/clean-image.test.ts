import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cleanImage, shownImage } from "./clean-image.js";

const SECRET = "sk-live-metadata-4711";
const bytes = (...parts: readonly (string | number | readonly number[] | Uint8Array)[]) =>
  Buffer.concat(
    parts.map((part) =>
      typeof part === "string"
        ? Buffer.from(part, "latin1")
        : Buffer.from(typeof part === "number" ? [part] : part),
    ),
  );
const big = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];
const little = (value: number) => big(value).reverse();

function chunk(type: string, data: Uint8Array): Buffer {
  const body = bytes(type, data);
  return bytes(big(data.length), body, big(crc32(body)));
}

function png(...extra: readonly Buffer[]): Buffer {
  const header = chunk("IHDR", bytes(big(1), big(1), 8, 2, 0, 0, 0));
  const picture = chunk("IDAT", deflateSync(Buffer.from([0, 255, 0, 0])));
  return bytes("\x89PNG\r\n\x1a\n", header, ...extra, picture, chunk("IEND", Buffer.alloc(0)));
}

const segment = (marker: number, data: Uint8Array) =>
  bytes(0xff, marker, [(data.length + 2) >> 8, (data.length + 2) & 255], data);

function jpeg(...extra: readonly Buffer[]): Buffer {
  const frame = segment(0xc0, bytes(8, 0, 1, 0, 1, 1, 1, 0x11, 0));
  const scan = bytes(segment(0xda, bytes(1, 1, 0, 0, 63, 0)), [1, 2, 0xff, 0, 3, 0xff, 0xd0, 4]);
  return bytes(0xff, 0xd8, ...extra, frame, scan, 0xff, 0xd9);
}

const JFIF = segment(0xe0, bytes("JFIF\0", 1, 2, 0, 0, 1, 0, 1, 0, 0));
const blocks = (text: string) => bytes(text.length, text, 0);
const LOOP = bytes(0x21, 0xff, 11, "NETSCAPE2.0", 3, 1, 0, 0, 0);

function gif(...extra: readonly Buffer[]): Buffer {
  const picture = bytes(0x2c, [0, 0, 0, 0, 1, 0, 1, 0, 0], 2, blocks("\x44\x01"));
  return bytes("GIF89a", [1, 0, 1, 0, 0x80, 0, 0], [0, 0, 0, 255, 255, 255], ...extra, picture, 0x3b);
}

const riff = (type: string, data: Uint8Array) =>
  bytes(type, little(data.length), data, data.length % 2 ? 0 : "");

function webp(...extra: readonly Buffer[]): Buffer {
  const body = bytes(
    "WEBP",
    riff("VP8X", bytes(0x2c, [0, 0, 0], [0, 0, 0], [0, 0, 0])),
    ...extra,
    riff("VP8L", bytes("/\0\0\0\0")),
  );
  return bytes("RIFF", little(body.length), body);
}

const CASES = {
  png: {
    plain: png(),
    // The color profile has a name; data after the end does not belong to the picture.
    full: bytes(
      png(
        chunk("tEXt", bytes("Comment\0", SECRET)),
        chunk("zTXt", bytes("Comment\0\0", deflateSync(SECRET))),
        chunk("iTXt", bytes("Comment\0\0\0\0\0", SECRET)),
        chunk("iCCP", bytes(SECRET, "\0\0", deflateSync("profile"))),
        chunk("eXIf", bytes("MM\0*", SECRET)),
        chunk("tIME", bytes([7, 230, 1, 1, 1, 1, 1])),
      ),
      SECRET,
    ),
  },
  jpeg: {
    plain: jpeg(JFIF),
    full: bytes(
      jpeg(
        JFIF,
        segment(0xe1, bytes("Exif\0\0MM\0*", SECRET)),
        segment(0xe2, bytes("ICC_PROFILE\0", SECRET)),
        segment(0xed, bytes(SECRET)),
        segment(0xfe, bytes(SECRET)),
      ),
      SECRET,
    ),
  },
  gif: {
    plain: gif(LOOP),
    full: bytes(
      gif(
        bytes(0x21, 0xfe, blocks(SECRET)),
        LOOP,
        bytes(0x21, 0xff, 11, "XMP DataXMP", blocks(SECRET)),
        bytes(0x21, 1, blocks(SECRET)),
      ),
      SECRET,
    ),
  },
  webp: {
    plain: undefined,
    full: bytes(
      webp(
        riff("EXIF", bytes(SECRET)),
        riff("XMP ", bytes(SECRET)),
        riff("ICCP", bytes(SECRET)),
        riff("note", bytes(SECRET)),
      ),
      SECRET,
    ),
  },
} as const;

const clean = (image: Uint8Array) => {
  const code = cleanImage(Buffer.from(image).toString("base64"));
  return code === undefined ? undefined : Buffer.from(code, "base64");
};

describe("an image without its metadata", () => {
  it.each(Object.entries(CASES))("is the picture alone: %s", (_, { plain, full }) => {
    const cleaned = clean(full);
    expect(cleaned).toBeDefined();
    expect(cleaned!.includes(SECRET)).toBe(false);
    if (plain !== undefined) expect(cleaned).toEqual(plain);
    expect(clean(cleaned!)).toEqual(cleaned);
  });

  it("has no flags of what was taken out: webp", () => {
    const cleaned = clean(CASES.webp.full)!;
    expect(cleaned[20]).toBe(0);
    expect(cleaned.readUInt32LE(4)).toBe(cleaned.length - 8);
  });

  it("is none where it is broken, of another kind, or no image", () => {
    for (const { full } of Object.values(CASES)) {
      const whole = clean(full)!;
      for (let length = 0; length < whole.length; length++)
        expect(clean(whole.subarray(0, length))).toBeUndefined();
    }
    expect(clean(bytes("II*\0", SECRET))).toBeUndefined();
    expect(clean(bytes("some text"))).toBeUndefined();
  });

  it("fails on nothing, whatever its bytes", () => {
    const image = fc.constantFrom(...Object.values(CASES).map(({ full }) => full));
    const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 });
    fc.assert(
      fc.property(image, changes, (whole, changed) => {
        const damaged = Buffer.from(whole);
        for (const [at, byte] of changed) damaged[at % damaged.length] = byte;
        clean(damaged);
        shownImage(damaged.toString("base64"));
      }),
      { numRuns: 1_000 },
    );
  });
});
