import { finished, fnv1a } from "./fingerprints.js";

const SEEDS = [0x811c9dc5, 0x01000193, 0x9e3779b9, 0x85ebca6b] as const;

/**
 * An id for a record that was stored without one: the same text gives the same id in every response. UUID-shaped, version
 * 8 (RFC 9562 section 5.8: the bits are the application's own); a fingerprint, not a secret.
 */
export function derivedId(text: string): string {
  return idOf(SEEDS.map((seed) => fnv1a(text, seed)));
}

/**
 * The same for many texts that begin alike: the beginning is read once.
 *
 * @example derivedIds("a/")("b") === derivedId("a/b")
 */
export function derivedIds(beginning: string): (rest: string) => string {
  const begun = SEEDS.map((seed) => fnv1a(beginning, seed));
  return (rest) => idOf(begun.map((hash) => fnv1a(rest, hash)));
}

function idOf(hashes: readonly number[]): string {
  const hex = hashes.map(finished).join("");
  const variant = ((Number.parseInt(hex[16]!, 16) & 0x3) | 0x8).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`;
}
