import type { CallPricing } from "../../application/explain/call-pricing.js";
import type { ExportWriter } from "../../application/ports/export.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices, yieldToEventLoop } from "../../application/threads/slices.js";
import type { ArchivedEnvelope, ArchivedSession, ArchiveHead } from "../../domain/archive/archive-record.js";
import { readMessage } from "../../domain/conversation/conversation.js";
import { type JsonObject, objectField } from "../../domain/json/json.js";
import { walkSpans } from "../../domain/spans/span.js";
import { archiveRecords } from "./archive-records.js";
import type { ShownLengths } from "./event-texts.js";
import { ExportedTrace, type ReadTrace } from "./exported-trace.js";
import { codeBlock, codeSpan, inlineText, shownText, wrapped } from "./markdown-text.js";
import { sessionFigures } from "./session-figures.js";
import { diagnosisLines, factsLine, headLines, titleOf } from "./session-head.js";
import { sessionSections } from "./session-sections.js";

/** How much is shown of each text, in characters. */
const SHOWN: ShownLengths = {
  said: 12_000,
  thought: 1_500,
  input: 2_000,
  change: 6_000,
  result: 2_000,
  error: 4_000,
};

/** How many characters are written between two turns of the event loop. */
const WRITTEN_AT_ONCE = 64 * 1024;

const encoder = new TextEncoder();

/**
 * Sessions as people read them: what went wrong first, then turn by turn what was asked, said and done, sub-agents in sections of their own.
 * All texts of a history stand in code blocks or code spans that they cannot end; long ones are cut, and say so.
 *
 * A trace is held until its end, because what went wrong is known then: its facts, and what is shown of its texts.
 */
export function markdownWriter(pricing: CallPricing): ExportWriter {
  return {
    mediaType: "text/markdown; charset=utf-8",
    ending: ".md",
    async *write(lines, options = {}) {
      let head: ArchiveHead | undefined;
      let session: MarkdownSession | undefined;
      for await (const record of archiveRecords(lines, options.signal)) {
        if ("archive" in record) head = record.archive as unknown as ArchiveHead;
        if ("session" in record || "end" in record) {
          if (session !== undefined) yield* session.end(options);
          session =
            "session" in record
              ? new MarkdownSession(head!, record as unknown as ArchivedSession, pricing)
              : undefined;
        } else if (session !== undefined) yield* session.add(record, options);
      }
    },
  };
}

class MarkdownSession {
  readonly #head: ArchiveHead;
  readonly #session: ArchivedSession["session"];
  readonly #pricing: CallPricing;
  readonly #turnNumbers: readonly number[];
  readonly #trace = new ExportedTrace(SHOWN);
  readonly #isSaid = { byTrace: false, byMessages: false };
  #isTold = false;

  constructor(head: ArchiveHead, { session, turns = [] }: ArchivedSession, pricing: CallPricing) {
    this.#head = head;
    this.#session = session;
    this.#turnNumbers = turns;
    this.#pricing = pricing;
  }

  /** Messages come behind the trace; they are read where that does not say what was said. */
  async *add(record: JsonObject, options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    if ("envelope" in record) this.#trace.addEnvelope(record as unknown as ArchivedEnvelope);
    else if ("event" in record) this.#trace.addEvent(record.event);
    else if ("message" in record && record.agent === undefined) {
      yield* this.#tell(options);
      if (!this.#isSaid.byTrace) yield encoder.encode(this.#messageText(objectField(record, "message")));
    }
  }

  async *end(options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    yield* this.#tell(options);
  }

  async *#tell(options: ReadOptions): AsyncGenerator<Uint8Array, void> {
    if (this.#isTold) return;
    this.#isTold = true;
    const trace = await runInSlices(
      this.#trace.read(this.#session, this.#head.part !== null),
      options.signal,
    );
    const figures = await sessionFigures(trace, this.#pricing, options);
    const { tenantId, sessionId, directory = "" } = this.#session;
    const top = [
      `# ${inlineText(titleOf(this.#session))}`,
      "",
      factsLine(figures),
      "",
      `Session ${codeSpan(`${tenantId}/${sessionId}`)}${directory === "" ? "" : ` in ${codeSpan(directory)}`}`,
      ...headLines(this.#head).flatMap((line) => ["", line]),
      "",
      "## What went wrong",
      "",
      ...diagnosisLines(figures, this.#turnNumbers),
      "",
      "",
    ];
    yield encoder.encode(top.join("\n"));
    this.#isSaid.byTrace = saysAnswers(trace);
    let written = 0;
    for (const piece of sessionSections({ trace, directory, turnNumbers: this.#turnNumbers })) {
      if (piece !== "") yield encoder.encode(piece);
      written += piece.length;
      if (written < WRITTEN_AT_ONCE) continue;
      written = 0;
      await yieldToEventLoop();
      options.signal?.throwIfAborted();
    }
  }

  /** Who said what, of a message; what tools did is in the trace. */
  #messageText(message: JsonObject): string {
    const { parts, origin } = readMessage(message, 0);
    const said = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n");
    if (said.trim() === "" || origin === "tool") return "";
    const heading = this.#isSaid.byMessages ? "" : "## Conversation\n\n";
    this.#isSaid.byMessages = true;
    const speaker = { user: "User", assistant: "Agent", system: "System", summary: "Summary" }[origin];
    return `${heading}**${speaker}**\n\n${codeBlock({ text: wrapped(shownText(said, SHOWN.said)) })}\n`;
  }
}

/** Whether a trace says what the model answered. */
function saysAnswers({ roots, textsOf }: ReadTrace): boolean {
  let isSaid = false;
  walkSpans(roots, ({ kind, start, end }) => {
    if (kind === "text" || kind === "llm")
      isSaid ||= (textsOf(end).said ?? textsOf(start).said) !== undefined;
  });
  return isSaid;
}
