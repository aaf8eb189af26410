import type { ShortenedText } from "./message-protocol.js";

/** More than a folded text displays. Unfolding requests the rest. */
export const CUT_AT = 6000;

export function cutText(text: string, cutAt = CUT_AT): ShortenedText {
  return { text: text.length > cutAt ? text.slice(0, cutAt) : text, length: text.length };
}
