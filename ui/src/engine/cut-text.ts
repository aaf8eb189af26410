import type { ShortenedText } from "./message-protocol.js";

/** Somewhat more than a folded text shows. The page asks for the rest when somebody unfolds it. */
export const CUT_AT = 6000;

export function cutText(text: string, cutAt = CUT_AT): ShortenedText {
  return { text: text.length > cutAt ? text.slice(0, cutAt) : text, length: text.length };
}
