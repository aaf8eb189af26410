import { expect, it } from "vitest";
import { imageFacts, imageSource, imagesIn } from "./images.js";

const bytes = (...parts: readonly (string | readonly number[])[]) =>
  Buffer.concat([
    ...parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))),
    Buffer.alloc(40),
  ]);
const address = (data: Buffer, type = "image/png") => `data:${type};base64,${data.toString("base64")}`;
const png = (width: number, height: number) => {
  const head = bytes("\x89PNG\r\n\x1a\n", [0, 0, 0, 13], "IHDR", new Array(8).fill(0));
  head.writeUInt32BE(width, 16);
  head.writeUInt32BE(height, 20);
  return head;
};

it("reads the size of an image from its first bytes", () => {
  const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff, 0xc2, 0, 17, 8, 0, 20, 0, 30]);
  const gif = bytes("GIF89a", [10, 0, 5, 0]);
  const webp = bytes("RIFF", [0, 0, 0, 0], "WEBPVP8X", [10, 0, 0, 0, 0, 0, 0, 0, 99, 0, 0, 49, 0, 0]);
  const sizes = [png(640, 480), jpeg, gif, webp].map((data) => {
    const facts = imageFacts(address(data));
    return facts.type === "inside" && [facts.format, facts.width, facts.height, facts.bytes === data.length];
  });
  expect(sizes).toEqual([
    ["PNG", 640, 480, true],
    ["JPEG", 30, 20, true],
    ["GIF", 10, 5, true],
    ["WebP", 100, 50, true],
  ]);
});

it("shows no image that would take all memory", () => {
  expect(imageFacts(address(png(60_000, 60_000)))).toMatchObject({ type: "too large", width: 60_000 });
  expect(imageFacts(`data:image/png;base64,${"A".repeat(40_000_000)}`)).toMatchObject({ type: "too large" });
  const drawing = (size: number) => imageFacts(address(Buffer.alloc(size, "<g/>"), "image/svg+xml")).type;
  expect([drawing(400_000), drawing(600_000)]).toEqual(["inside", "too large"]);
});

it("shows nothing that is no image", () => {
  for (const source of [
    "data:text/html;base64,PGI+",
    "data:image/png;base64,***",
    "data:image/png,x",
    "data:image/png;base64,",
    address(Buffer.from("<html>".repeat(20))),
    address(bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0])),
    address(bytes([0xff, 0xd8, 0x00, 0xe0, 0, 0])),
  ]) {
    expect(imageFacts(source).type).toBe("unreadable");
  }
  expect(imageFacts(`https://example.com/${"x".repeat(900)}`)).toEqual({
    type: "elsewhere",
    address: `https://example.com/${"x".repeat(180)}`,
  });
});

it("knows the shapes that vendors give images", () => {
  const blocks = [
    { type: "image", source: { type: "base64", media_type: "image/gif", data: "R0" } },
    { type: "image_url", image_url: { url: "data:image/gif;base64,R0" } },
    { type: "input_image", image_url: "data:image/gif;base64,R0" },
    { inlineData: { mimeType: "image/gif", data: "R0" } },
    { inline_data: { mime_type: "image/gif", data: "R0" } },
    { type: "image", mimeType: "image/gif", data: "R0" },
  ];
  for (const block of blocks) expect(imageSource(block)).toBe("data:image/gif;base64,R0");
  expect(imageSource({ type: "image", source: { type: "url", url: "https://x/y.png" } })).toBe(
    "https://x/y.png",
  );
  expect(imageSource({ inlineData: { mimeType: "audio/wav", data: "R0" } })).toBeUndefined();
  expect(imageSource({ type: "text", text: "image" })).toBeUndefined();
});

it("finds the images in what a tool gave, as far as it is worth it", () => {
  const image = { type: "image", data: "R0" };
  expect(
    imagesIn({ event: { output: [{ type: "text", text: "a" }, image, { content: [image] }] } }),
  ).toHaveLength(2);
  let deep: unknown = image;
  for (let i = 0; i < 10_000; i++) deep = [deep];
  expect(imagesIn(deep)).toEqual([]);
  expect(imagesIn(new Array(500).fill(image))).toHaveLength(100);
});
