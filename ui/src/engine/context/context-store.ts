import { type ContextShare, calibrateContexts } from "../../../../src/domain/context/calibrate-contexts.js";
import type { MatchedCall, TracedCall } from "../../../../src/domain/conversation/call-matches.js";
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
  contextSizes,
  scaledSizes,
  sumSizes,
} from "../../../../src/domain/conversation/context-messages.js";
import type { ReadMessage } from "../../../../src/domain/conversation/conversation.js";
import type { ConversationOutline } from "../../../../src/domain/conversation/conversation-outline.js";
import { MatchedContexts } from "../../../../src/domain/conversation/matched-contexts.js";
import type { Provenance } from "../../../../src/domain/conversation/provenance.js";
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

/** Prefers the call's record to the history. */
export class ContextStore {
  #outline: ConversationOutline | undefined;
  #directory = "";
  #shares: readonly ContextShare[] = [];
  readonly #inputs = new RecordedContexts();
  #contexts = new MatchedContexts<RecordedCall>(
    { messages: [], calls: [], isSubAgent: false },
    [],
    this.#inputs,
  );
  #sizes: readonly ContextSizes[] = [];
  #lengths: readonly number[] = [];
  #historyCalls: readonly ContextCall[] = [];

  /** Unchanged parts are not read again. */
  async update(
    { messages, outline }: CachedConversation,
    traced: readonly RecordedCall[],
    directory: string,
    isSubAgent: boolean,
  ): Promise<void> {
    await this.#inputs.update(traced);
    if (messages !== this.#contexts.messages || outline !== this.#outline) {
      this.#historyCalls = contextCalls(messages, outline);
      this.#sizes = contextSizes(messages, this.#historyCalls);
      this.#lengths = contextLengths(messages, this.#historyCalls);
    }
    this.#outline = outline;
    this.#directory = directory;
    const agent = { messages, calls: this.#historyCalls, isSubAgent };
    this.#contexts = new MatchedContexts<RecordedCall>(agent, traced, this.#inputs);
    this.#shares = calibrateContexts(
      this.#contexts.matches.map((call) => ({
        counted: call.traced?.tokens || undefined,
        estimated: sumSizes(this.#sizesOf(call)),
      })),
    );
  }

  calls(): Omit<ContextCalls, "window"> {
    const { matches, unseen, messages } = this.#contexts;
    const calls = matches.map((existing, index): CallRow => {
      const row = this.#row(existing, index);
      const { scale, system, unaccounted } = this.#shares[index]!;
      return { ...row, sizes: scaledSizes(row.sizes, scale), prompt: system, unaccounted };
    });
    return { unseenCalls: unseen, messages: messages.length, calls };
  }

  /** @param find lists only messages of the call with this text. `""` lists all, and dropped messages */
  compare(base: number, call: number, find = ""): ContextComparison | undefined {
    if (this.#contexts.matches[call] === undefined) return undefined;
    const rows = compareContexts(this.#contexts.contextAt(base), this.#contexts.contextAt(call));
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
    const context = this.#contexts.contextAt(base);
    const rows = compareContexts(context, this.#contexts.contextAt(call));
    const { matches, messages } = this.#contexts;
    const from = matches[base]?.call?.to;
    const isRetained = messages.length > 0 && from !== undefined;
    const later = isRetained ? messages.slice(from) : this.#contexts.contextAt(matches.length - 1);
    return droppedList(droppedMessages(rows, context, later), {
      directory: this.#directory,
      scale: this.#scaleOf(base),
      firstContextOf: (index) => {
        const first = isRetained ? matches.findIndex((existing) => (existing.call?.to ?? 0) > index) : -1;
        return first === -1 ? undefined : first;
      },
      stepOf,
    });
  }

  head(call: number): ContextHead | undefined {
    const share = this.#shares[call];
    if (share === undefined) return undefined;
    const records = this.#contexts.matches[call]?.traced?.records ?? [];
    return contextHead(this.#contexts.contextAt(call), share.system, records);
  }

  provenance(call: number, index: number): Provenance | undefined {
    const message = this.#contexts.contextAt(call).find((one) => one.index === index);
    return message && this.#contexts.provenance(call, message);
  }

  contextsBetween(
    call: number,
    from: number,
    to: number,
    change: "kept" | "dropped",
  ): ContextComparison["lines"] {
    return this.#contexts
      .contextAt(call)
      .filter(({ index }) => index >= from && index <= to)
      .map((message) => {
        const after = change === "kept" ? message : undefined;
        return contextLine({ change, before: message, after }, this.#directory, this.#scaleOf(call));
      });
  }

  text(index: number): string {
    const message = this.#contexts.message(index);
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

  #answerOf({ to, answerEnd }: ContextCall): string {
    const parts = this.#contexts.messages.slice(to, answerEnd).flatMap(({ parts }) => parts);
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
