import { type ContextShare, calibrateContexts } from "../../../../src/domain/context/calibrate-contexts.js";
import {
  type MatchedCall,
  matchCalls,
  type TracedCall,
} from "../../../../src/domain/conversation/call-matches.js";
import {
  compareContexts,
  foldRuns,
  messageText,
} from "../../../../src/domain/conversation/compare-contexts.js";
import {
  type ContextCall,
  contextCalls,
  isCompacted,
} from "../../../../src/domain/conversation/context-calls.js";
import {
  type ContextSizes,
  contextLengths,
  contextOf,
  contextSizes,
  scaledSizes,
  sumSizes,
} from "../../../../src/domain/conversation/context-messages.js";
import type { ReadMessage } from "../../../../src/domain/conversation/conversation.js";
import type { ConversationOutline } from "../../../../src/domain/conversation/conversation-outline.js";
import {
  type Contexts,
  type Provenance,
  provenanceOf,
} from "../../../../src/domain/conversation/provenance.js";
import { previewText } from "../../../../src/domain/text/preview-text.js";
import { droppedMessages } from "../../model/context/dropped-messages.js";
import { cutText } from "../messages/cut-text.js";
import type {
  CallRow,
  ContextCalls,
  ContextComparison,
  ContextHead,
  DroppedList,
  ShortenedText,
} from "../messages/message-protocol.js";
import { droppedList } from "./context-dropped.js";
import { contextHead } from "./context-head.js";
import { contextLine, countChanges, MAX_PREVIEW } from "./context-lines.js";
import { RecordedContexts } from "./recorded-contexts.js";

export interface RecordedCall extends TracedCall {
  readonly records: readonly string[];
  readonly answer: string;
}

export interface CachedConversation {
  readonly messages: readonly ReadMessage[];
  readonly outline: ConversationOutline | undefined;
}

/** Indexes per call for messages that calls record. They are below 0, so that an index identifies each message, as in the history. */
const INDEXES = 2 ** 20;

const MOST_RECENT = 4;

/** Prefers the call's record to the history. */
export class ContextStore {
  #messages: readonly ReadMessage[] = [];
  #outline: ConversationOutline | undefined;
  #directory = "";
  #matched: readonly MatchedCall<RecordedCall>[] = [];
  #unseen = 0;
  #shares: readonly ContextShare[] = [];
  readonly #inputs = new RecordedContexts();
  #sizes: readonly ContextSizes[] = [];
  #lengths: readonly number[] = [];
  #historyCalls: readonly ContextCall[] = [];
  #isSubAgent = false;

  /** Unchanged parts are not read again. */
  async update(
    { messages, outline }: CachedConversation,
    traced: readonly RecordedCall[],
    directory: string,
    isSubAgent: boolean,
  ): Promise<void> {
    await this.#inputs.update(traced);
    if (messages !== this.#messages || outline !== this.#outline) {
      this.#historyCalls = contextCalls(messages, outline);
      this.#sizes = contextSizes(messages, this.#historyCalls);
      this.#lengths = contextLengths(messages, this.#historyCalls);
    }
    this.#messages = messages;
    this.#outline = outline;
    this.#directory = directory;
    this.#isSubAgent = isSubAgent;
    const { matches: existing, unseen } = matchCalls(
      this.#historyCalls,
      traced,
      (call) => this.#inputs.sizeOf(call) !== undefined,
    );
    this.#matched = existing;
    this.#shares = calibrateContexts(
      existing.map((call) => ({
        counted: call.traced?.tokens || undefined,
        estimated: sumSizes(this.#sizesOf(call)),
      })),
    );
    this.#unseen = unseen;
  }

  calls(): Omit<ContextCalls, "window"> {
    const calls = this.#matched.map((existing, index): CallRow => {
      const row = this.#row(existing, index);
      const { scale, system, unaccounted } = this.#shares[index]!;
      return { ...row, sizes: scaledSizes(row.sizes, scale), prompt: system, unaccounted };
    });
    return { unseenCalls: this.#unseen, messages: this.#messages.length, calls };
  }

  /** @param find lists only messages of the call with this text. `""` lists all, and dropped messages */
  compare(base: number, call: number, find = ""): ContextComparison | undefined {
    if (this.#matched[call] === undefined) return undefined;
    const rows = compareContexts(this.#contextAt(base), this.#contextAt(call));
    // Message sizes add up to the call that saw them.
    const scaleOf = (change: string) => this.#scaleOf(change === "dropped" ? base : call);
    const counts = countChanges(rows, scaleOf);
    const visible = find === "" ? foldRuns(rows) : rows.filter(({ after }) => after && holds(after, find));
    const lines = visible.map((row) =>
      contextLine(row, this.#directory, scaleOf(row.change === "run" ? row.of : row.change)),
    );
    return { base, call, counts, lines };
  }

  dropped(base: number, call: number, stepOf: (toolCallId: string) => string | undefined): DroppedList {
    const context = this.#contextAt(base);
    const rows = compareContexts(context, this.#contextAt(call));
    const from = this.#matched[base]?.call?.to;
    const isRetained = this.#messages.length > 0 && from !== undefined;
    const later = isRetained ? this.#messages.slice(from) : this.#contextAt(this.#matched.length - 1);
    return droppedList(droppedMessages(rows, context, later), {
      directory: this.#directory,
      scale: this.#scaleOf(base),
      firstContextOf: (index) => {
        const first = isRetained
          ? this.#matched.findIndex((existing) => (existing.call?.to ?? 0) > index)
          : -1;
        return first === -1 ? undefined : first;
      },
      stepOf,
    });
  }

  head(call: number): ContextHead | undefined {
    const share = this.#shares[call];
    if (share === undefined) return undefined;
    const records = this.#matched[call]?.traced?.records ?? [];
    return contextHead(this.#contextAt(call), share.system, records);
  }

  provenance(call: number, index: number): Provenance | undefined {
    const message = this.#contextAt(call).find((one) => one.index === index);
    return message && provenanceOf(this.#contexts(), call, message);
  }

  #contexts(): Contexts {
    // Comparing two consecutive calls reads recorded messages of both, so the recent ones are cached.
    const recent = new Map<number, readonly ReadMessage[]>();
    return {
      count: this.#matched.length,
      messages: this.#messages,
      isSubAgent: this.#isSubAgent,
      removalsBefore: (call) => this.#matched[call]?.call?.removals ?? [],
      contextOf: (call) => {
        const context = recent.get(call) ?? this.#contextAt(call);
        if (recent.size > MOST_RECENT) recent.clear();
        recent.set(call, context);
        return context;
      },
    };
  }

  contextsBetween(
    call: number,
    from: number,
    to: number,
    change: "kept" | "dropped",
  ): ContextComparison["lines"] {
    return this.#contextAt(call)
      .filter(({ index }) => index >= from && index <= to)
      .map((message) => {
        const after = change === "kept" ? message : undefined;
        return contextLine({ change, before: message, after }, this.#directory, this.#scaleOf(call));
      });
  }

  text(index: number): string {
    const message = this.#message(index);
    return message === undefined ? "" : messageText(message);
  }

  beginning(index: number): ShortenedText {
    return cutText(this.text(index));
  }

  #scaleOf(call: number): number {
    return this.#shares[call]?.scale ?? 1;
  }

  #row({ call, traced }: MatchedCall<RecordedCall>, index: number): Omit<CallRow, "prompt" | "unaccounted"> {
    const recordedSize = this.#inputs.sizeOf(traced);
    return {
      index,
      messages: recordedSize?.messages ?? this.#lengths[call!.index]!,
      sizes: this.#sizesOf({ call, traced }),
      countedTokens: traced?.tokens,
      spanId: traced?.spanId,
      at: traced?.at,
      compacted: call !== undefined && isCompacted(call),
      isRecorded: recordedSize !== undefined || call?.isRecorded === true,
      answer: call === undefined ? traced!.answer : this.#answerOf(call),
    };
  }

  #sizesOf({ call, traced }: MatchedCall<RecordedCall>): ContextSizes {
    const recordedSize = this.#inputs.sizeOf(traced);
    return recordedSize?.sizes ?? this.#sizes[call!.index]!;
  }

  #contextAt(index: number): readonly ReadMessage[] {
    const existing = this.#matched[index];
    if (existing === undefined) return [];
    const { call, traced } = existing;
    const recordedSize = this.#inputs.messagesOf(traced, -(index + 1) * INDEXES);
    return recordedSize ?? (call === undefined ? [] : contextOf(this.#messages, call));
  }

  #message(index: number): ReadMessage | undefined {
    if (index < 0)
      return this.#contextAt(-Math.floor(index / INDEXES) - 1).find((message) => message.index === index);
    const message = this.#messages[Math.floor(index)];
    return message?.replacement?.find((one) => one.index === index) ?? message;
  }

  #answerOf({ to, answerEnd }: ContextCall): string {
    const parts = this.#messages.slice(to, answerEnd).flatMap(({ parts }) => parts);
    const text = parts.find((part) => part.type === "text" && part.text.trim() !== "");
    const tools = parts.flatMap((part) => (part.type === "call" ? [part.name] : []));
    const preview = text?.type === "text" ? previewText(text.text, MAX_PREVIEW) : "";
    return [preview, tools.join(", ")].filter(Boolean).join(" → ");
  }
}

/** A search text without capitals ignores case. */
function holds(message: ReadMessage, find: string): boolean {
  const text = messageText(message);
  return (find === find.toLowerCase() ? text.toLowerCase() : text).includes(find);
}
