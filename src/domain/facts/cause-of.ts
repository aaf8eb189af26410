import { TERMINAL_CODES } from "../text/preview-text.js";

const LOOKED_AT = 1_000;
const LONGEST_CAUSE = 160;

/**
 * Returns the first line of an error that has a meaning, without ids, paths, addresses, numbers and quoted names: equal causes are one.
 * @example causeOf("Error: ENOENT: no such file, open '/srv/shop/a.ts'") // "Error: ENOENT: no such file, open …"
 */
export function causeOf(text: string): string {
  const looked = text.slice(0, LOOKED_AT).replace(TERMINAL_CODES, "");
  const line = looked.split(/\r?\n/).find((one) => /[\p{L}\p{N}]/u.test(one)) ?? looked;
  const folded = line
    .replace(/<\/?[a-z_-]+>/gi, " ")
    .replace(/\b[a-z][a-z0-9+.-]*:\/\/[^\s"'`<>)]+/gi, "…")
    .replace(/(["'`])(?:(?!\1).){1,200}\1/g, "…")
    .replace(/(?:[A-Za-z]:)?(?:[\\/~.]?[\w@.+~-]+)?(?:[\\/][\w@.+~-]*[\w@+~-])+[\\/]?/g, "…")
    .replace(/\b(?:[0-9a-f]{8}-[0-9a-f-]{27,}|0x[0-9a-f]+|[0-9a-f]{12,}|[a-z]+_[A-Za-z0-9]{8,})\b/gi, "…")
    .replace(/\b\d+(?:[.,:]\d+)*(?:ms|s|kb|mb|%)?\b/gi, (number) => (isStatus(number) ? number : "n"))
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replace(/…(?:[\s:,]*…)+/g, "…")
    .trim();
  return folded.length <= LONGEST_CAUSE ? folded : `${folded.slice(0, LONGEST_CAUSE - 1).trimEnd()}…`;
}

/** HTTP statuses and exit codes stay in a cause. */
function isStatus(number: string): boolean {
  return /^(?:[1-9]|[1-9]\d|[1-5]\d\d)$/.test(number);
}
