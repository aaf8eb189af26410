import { InvalidRequestError } from "../../application/errors.js";
import type { CallPricing } from "../../application/explain/call-pricing.js";
import type { ExportWriter } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import type { ArchivedEnvelope, ArchivedSession, ArchiveHead } from "../../domain/archive/archive-record.js";
import { archiveRecords } from "./archive-records.js";
import { comparisonPrompt } from "./prompt-comparison.js";
import { PromptReading, type PromptSession } from "./prompt-reading.js";
import { sessionPrompt } from "./prompt-session.js";

/**
 * A prompt for an agent that is to go on from a session, or from a part of it: what failed, what it saw, what was changed and what was asked
 * for, and how more is looked up by MCP. Two sessions are compared. It has at most {@link MOST_PROMPT} characters.
 *
 * @param newMark stands around each quoted text, so that no text can end its quotation. Default is a random one
 */
export function promptWriter(pricing: CallPricing, newMark: () => string = randomMark): ExportWriter {
  return {
    mediaType: "text/markdown; charset=utf-8",
    ending: ".md",
    async *write(lines, options = {}) {
      let head: ArchiveHead | undefined;
      const sessions: PromptReading[] = [];
      for await (const record of archiveRecords(lines, options.signal)) {
        if ("archive" in record) head = record.archive as unknown as ArchiveHead;
        else if ("session" in record) {
          if (sessions.length === 2)
            throw new InvalidRequestError("format", "prompt takes two sessions at most.");
          sessions.push(new PromptReading(head!, record as unknown as ArchivedSession));
        } else if ("envelope" in record) sessions.at(-1)!.addEnvelope(record as unknown as ArchivedEnvelope);
        else if ("event" in record) sessions.at(-1)!.addEvent(record.event);
        else if ("message" in record) await sessions.at(-1)!.addMessage(record, options);
      }
      const read = await allOf(sessions, pricing, options);
      const mark = newMark();
      const [first, second] = read;
      if (first === undefined) throw new InvalidRequestError("format", "prompt needs a session.");
      const text =
        second === undefined ? sessionPrompt(first, mark) : comparisonPrompt([first, second], mark);
      yield new TextEncoder().encode(text);
    },
  };
}

async function allOf(
  sessions: readonly PromptReading[],
  pricing: CallPricing,
  options: ReadOptions,
): Promise<readonly PromptSession[]> {
  const read: PromptSession[] = [];
  for (const session of sessions) read.push(await session.read(pricing, options));
  return read;
}

function randomMark(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
