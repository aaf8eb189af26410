import type { ConversationEntry } from "../../../../src/domain/conversation/conversation.js";
import { durationMs, type Span, spanError } from "../../../../src/domain/spans/span.js";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { textLine } from "../../../../src/domain/text/subject-line.js";
import { addCost, type Cost } from "../../../../src/domain/usage/money.js";
import {
  type EntrySpans,
  entrySpans,
  type NamedSpans,
  namedSpans,
} from "../../model/messages/conversation-spans.js";
import { type ConversationTurn, turnOutline } from "../../model/messages/turn-outline.js";
import type { TraceModel } from "../../model/trace/trace-model.js";
import type { LineCount } from "../messages/line-counts.js";
import { type DoneCall, MessageEdits } from "../messages/message-edits.js";
import type { EntryRow, StepFacts, TurnRow } from "../messages/message-protocol.js";
import type { MessageStore } from "../messages/message-store.js";
import { eventIn } from "../records/record-json.js";
import type { TraceStore } from "../trace/trace-store.js";

interface Joined {
  readonly version: number;
  readonly model: TraceModel;
  readonly agentId: string;
  readonly named: NamedSpans;
  readonly spans: EntrySpans;
  readonly turns: readonly ConversationTurn[];
}

export class OutlinedMessages {
  readonly #messages: MessageStore;
  readonly #trace: TraceStore;
  readonly #agentId: () => string;
  readonly #edits = new MessageEdits();
  #joined: Joined | undefined;

  /** @param agentId `""` is the main agent */
  constructor(messages: MessageStore, trace: TraceStore, agentId: () => string) {
    this.#messages = messages;
    this.#trace = trace;
    this.#agentId = agentId;
  }

  async rows(from: number, to: number): Promise<EntryRow[]> {
    const { spans } = this.#join();
    const calls = this.#messages
      .parts(from, to)
      .map((entry, at) => this.#doneCall(entry, spans.rows[from + at]));
    await this.#edits.prepare(calls.filter((call) => call !== undefined));
    return this.#messages.entries(from, to).map((row, at) => {
      const [index, call] = [from + at, calls[at]];
      const displayed = spans.rows[index];
      return {
        ...row,
        answer: this.#factsOf(spans.answers.get(index)),
        tool: displayed?.kind === "tool" ? this.#factsOf(displayed) : undefined,
        lines: call && this.#edits.count(call),
      };
    });
  }

  turns(): TurnRow[] {
    const { turns, spans } = this.#join();
    return turns.map(({ entry, span }, at) => {
      const to = turns[at + 1]?.entry ?? this.#messages.entryCount;
      const own = this.#messages.parts(entry, to);
      return {
        entry,
        messageIndex: own[0]!.messageIndex,
        prompt: promptOf(own, span),
        step: this.#factsOf(span) ?? this.#factsBetween(spans, entry, to),
        errors: span?.totals.errors ?? own.filter(hasFailed).length,
      };
    });
  }

  /** In the order of `turns`. */
  edits(): Promise<readonly (LineCount | undefined)[]> {
    const { turns, spans } = this.#join();
    return this.#edits.sums(
      turns.map(({ entry }, at) =>
        this.#messages
          .parts(entry, turns[at + 1]?.entry)
          .map((own, i) => this.#doneCall(own, spans.rows[entry + i]))
          .filter((call) => call !== undefined),
      ),
    );
  }

  #factsOf(span: Span | undefined): StepFacts | undefined {
    if (span === undefined) return undefined;
    const { id, start, state } = span;
    const { derived, at } = start;
    return { id, at, durationMs: durationMs(span), state, derived, cost: this.#trace.costs.of(span) };
  }

  /** Facts of a turn that the trace lacks: from its first to its last recorded step. */
  #factsBetween({ rows: displayed, answers }: EntrySpans, from: number, to: number): StepFacts | undefined {
    const existing = new Set<Span>();
    for (let index = from; index < to; index++) {
      for (const span of [answers.get(index), displayed[index]]) if (span !== undefined) existing.add(span);
    }
    const [first] = existing;
    if (first === undefined) return undefined;
    let [begun, last] = [first, first];
    let cost: Cost | undefined;
    for (const span of existing) {
      if (span.start.at < begun.start.at) begun = span;
      if (span.endAt > last.endAt) last = span;
      const own = this.#trace.costs.of(span);
      if (own !== undefined) cost = cost === undefined ? own : addCost(cost, own);
    }
    const durationMs = last.endAt - begun.start.at;
    return { ...this.#factsOf(begun)!, durationMs, state: last.state, cost };
  }

  #doneCall({ part, result }: ConversationEntry, span: Span | undefined): DoneCall | undefined {
    if (part.type !== "call" || result?.isError === true) return undefined;
    const ended = span?.kind === "tool" ? span : undefined;
    if (result === undefined && ended?.end === undefined) return undefined;
    if (ended !== undefined && spanError(ended) !== undefined) return undefined;
    const end = ended?.end;
    return {
      part,
      ended: end,
      end: () => (end === undefined ? {} : eventIn(this.#trace.recorded.records[end.index]!)),
    };
  }

  #join(): Joined {
    const agentId = this.#agentId();
    const { version, answeredBy } = this.#messages;
    const { model } = this.#trace;
    const existing = this.#joined;
    const isSameTrace = existing?.model === model && existing.agentId === agentId;
    if (isSameTrace && existing.version === version) return existing;
    const named = isSameTrace ? existing.named : namedSpans(model.roots, agentId);
    const entries = this.#messages.parts();
    const spans = entrySpans(entries, answeredBy, named);
    const origins = entries.map(({ origin }) => origin);
    const turns = turnOutline(origins, spans.rows, named.turns);
    this.#joined = { version, model, agentId, named, spans, turns };
    return this.#joined;
  }
}

function promptOf(entries: readonly ConversationEntry[], span: Span | undefined): string {
  const traced = span === undefined ? "" : textLine(span.start.subject).text;
  if (traced !== "") return traced;
  for (const { origin, part } of entries) {
    if (origin !== "user") return "";
    const words = part.type === "text" ? previewText(part.text) : "";
    if (words !== "") return words;
  }
  return "";
}

function hasFailed({ part, result }: ConversationEntry): boolean {
  return part.type === "result" ? part.isError : result?.isError === true;
}
