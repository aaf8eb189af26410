const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

export function toBase64Url(text: string): string {
  const bytes = Array.from(encoder.encode(text), (byte) => String.fromCharCode(byte));
  return btoa(bytes.join("")).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

export function fromBase64Url(encoded: string): string | undefined {
  if (!/^[\w-]*$/.test(encoded) || encoded.length % 4 === 1) return undefined;
  const bytes = atob(encoded.replaceAll("-", "+").replaceAll("_", "/"));
  return decoder.decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)));
}
