import { InvalidRequestError } from "../../../application/errors.js";
import type { ExportWriter } from "../../../application/ports/export.js";
import type { CallPricing } from "../../../application/pricing/call-pricing.js";
import { asBytes } from "../session/as-bytes.js";
import { sessionsIn } from "../session/exported-session.js";
import { comparisonPrompt } from "./prompt-comparison.js";
import { keepForPrompt, type PromptSession, readForPrompt } from "./prompt-reading.js";
import { sessionPrompt } from "./prompt-session.js";

/**
 * Writes a prompt of at most {@link MOST_PROMPT} characters for an agent that continues from a session or a part of it. Two sessions are
 * compared.
 * @param newMark returns the mark around each quoted text, so that no text can end its quotation. Default is a random mark
 */
export function promptWriter(
  pricing: CallPricing,
  newMark: () => string = randomMark,
): ExportWriter["write"] {
  return async function* (lines, options = {}) {
    const read: PromptSession[] = [];
    for await (const session of sessionsIn(lines, keepForPrompt, options)) {
      if (read.length === 2) throw new InvalidRequestError("format", "prompt takes two sessions at most.");
      read.push(await readForPrompt(session, pricing, options));
    }
    const [first, second] = read;
    if (first === undefined) throw new InvalidRequestError("format", "prompt needs a session.");
    const mark = newMark();
    const text = second === undefined ? sessionPrompt(first, mark) : comparisonPrompt([first, second], mark);
    yield* asBytes([text], options);
  };
}

function randomMark(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
