import type { CallPricing } from "../../application/explain/call-pricing.js";
import type { ReadOptions } from "../../application/ports/record-stream.js";
import { runInSlices } from "../../application/threads/slices.js";
import { type ContextItem, itemisedMessage } from "../../domain/analysis/context-item.js";
import { type Failure, TraceOfFailures } from "../../domain/analysis/failures.js";
import type { ArchivedEnvelope, ArchivedSession, ArchiveHead } from "../../domain/archive/archive-record.js";
import { readMessage } from "../../domain/conversation/conversation.js";
import { recordedContext } from "../../domain/conversation/recorded-context.js";
import { type JsonObject, objectField } from "../../domain/json/json.js";
import { modelCallOf } from "../../domain/spans/model-call-of.js";
import { type Span, walkSpans } from "../../domain/spans/span.js";
import { ComparableTexts } from "../../domain/text/comparable-text.js";
import { CountedContext } from "./counted-context.js";
import type { ShownLengths } from "./event-texts.js";
import { ExportedTrace, type ReadTrace } from "./exported-trace.js";
import { type SessionFigures, sessionFigures } from "./session-figures.js";

/** How much is kept of each text, in characters: more than there is ever room for. */
const KEPT: ShownLengths = {
  said: 2_500,
  thought: 0,
  input: 2_000,
  change: 3_000,
  result: 2_000,
  error: 3_000,
};

/** How many parts of messages are kept, to be compared with those of another session, and how much of each. */
const MOST_ITEMS = 20_000;
const LINE = 300;

/** A session, or a part of it, as far as a prompt needs it. */
export interface PromptSession {
  readonly head: ArchiveHead;
  readonly session: ArchivedSession["session"];
  readonly turnNumbers: readonly number[];
  readonly trace: ReadTrace;
  readonly spans: readonly Span[];
  readonly failures: readonly Failure[];
  readonly figures: SessionFigures;
  /** The step that the part is about. Absent of any other part. */
  readonly step: Span | undefined;
  /** Its model call, and what that was given. */
  readonly call: Span | undefined;
  readonly seen: CountedContext;
  /** What was said in the main agent's conversation, up to so many parts. */
  readonly items: readonly ContextItem[];
}

/** Reads the lines of one session. */
export class PromptReading {
  readonly #head: ArchiveHead;
  readonly #archived: ArchivedSession;
  readonly #trace = new ExportedTrace(KEPT);
  readonly #texts: ComparableTexts;
  readonly #items: ContextItem[] = [];
  #told: Promise<ReadTrace> | undefined;
  #spans: Span[] = [];
  #step: Span | undefined;
  #call: Span | undefined;
  /** What is recorded on model calls themselves, by the ids of their envelopes; of a part about one step alone. */
  readonly #given = new Map<string, readonly JsonObject[]>();
  #seen = new CountedContext();
  #messages = 0;

  constructor(head: ArchiveHead, archived: ArchivedSession) {
    this.#head = head;
    this.#archived = archived;
    this.#texts = new ComparableTexts(archived.session.directory ?? "");
  }

  addEnvelope(archived: ArchivedEnvelope): void {
    this.#trace.addEnvelope(archived);
    const { id, event } = archived.envelope;
    const given = this.#stepId === undefined ? undefined : recordedContext([event]);
    if (given !== undefined) this.#given.set(id, given.messages);
  }

  addEvent(event: unknown): void {
    this.#trace.addEvent(event);
  }

  async addMessage(record: JsonObject, options: ReadOptions): Promise<void> {
    await this.#tell(options);
    const message = objectField(record, "message");
    const agentId = record.agent ?? "";
    if (this.#call !== undefined && agentId === this.#call.agentId) this.#addSeen(message);
    if (agentId !== "" || this.#items.length >= MOST_ITEMS || this.#stepId !== undefined) return;
    const { items } = itemisedMessage(readMessage(message, this.#messages++), {
      line: LINE,
      saidIn: (text, isResult) => this.#texts.of(text, isResult),
      shownOf: (text) => this.#texts.shown(text),
    });
    for (const item of items) this.#items.push(item);
  }

  async read(pricing: CallPricing, options: ReadOptions): Promise<PromptSession> {
    const trace = await this.#tell(options);
    const given = this.#call && (this.#given.get(this.#call.id) ?? this.#given.get(this.#call.end?.id ?? ""));
    if (given !== undefined) {
      this.#seen = new CountedContext();
      for (const message of given) this.#seen.add(message, {});
    }
    return {
      head: this.#head,
      session: this.#archived.session,
      turnNumbers: this.#archived.turns ?? [],
      trace,
      spans: this.#spans,
      failures: await runInSlices(new TraceOfFailures(trace.roots).failures(), options.signal),
      figures: await sessionFigures(trace, pricing, options),
      step: this.#step,
      call: this.#call,
      seen: this.#seen,
      items: this.#items,
    };
  }

  get #stepId(): string | undefined {
    return /^step:(.+)$/s.exec(this.#head.part ?? "")?.[1];
  }

  /** Messages come behind the trace, and are read by what it says. */
  #tell(options: ReadOptions): Promise<ReadTrace> {
    this.#told ??= runInSlices(
      this.#trace.read(this.#archived.session, this.#head.part !== null),
      options.signal,
    ).then((trace) => {
      walkSpans(trace.roots, (span) => this.#spans.push(span, ...span.bookkeeping));
      const id = this.#stepId;
      this.#step =
        id === undefined
          ? undefined
          : this.#spans.find(({ start, end }) => start.id === id || end?.id === id);
      this.#call = this.#step && modelCallOf(this.#spans, this.#step);
      return trace;
    });
    return this.#told;
  }

  #addSeen(message: JsonObject): void {
    const toolCallId = this.#step?.kind === "tool" ? this.#step.start.key : this.#call?.calls?.[0]?.start.key;
    const messageId = this.#call?.end?.messageId ?? this.#call?.start.messageId ?? this.#call?.start.key;
    this.#seen.add(message, { messageId, toolCallId });
  }
}
