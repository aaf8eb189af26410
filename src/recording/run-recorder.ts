import { RecordingError } from "../application/errors.js";
import type { SessionStore } from "../application/ports/session-store.js";
import { RecordedSession } from "../application/recording/recorded-session.js";
import {
  instantFor,
  RECORDER_CLOCK,
  type RecordedInstant,
  type RecorderClock,
} from "../application/recording/recording.js";
import { type OnRecordingError, report } from "../application/recording/recording-error.js";
import {
  BUFFER_OPTIONS,
  type BufferOptions,
  FLUSH_OPTIONS,
  SessionRecorder,
  SYSTEM_CLOCK,
} from "../application/recording/session-recorder.js";
import type { FlushOptions, FlushReport } from "../application/recording/store-call.js";
import { checkNames, checkOptions, type OptionTable } from "../domain/options/check-options.js";
import { FUNCTION, numberFrom } from "../domain/options/option-kinds.js";
import type { TraceEvent } from "../domain/trace/trace-envelope.js";
import { OpenSpan, SpanTree } from "./open-span.js";
import { addTexts, beginSpan, endSpan } from "./record-span.js";
import { recordOther } from "./record-step.js";
import { type RunSpan, type RunSpanResult, SPAN_MEMBERS } from "./run-span.js";
import { SessionWriter, SessionWriters, type WritersOfSessions, Writes } from "./session-writer.js";

export interface RunRecorderOptions extends BufferOptions {
  /** Default writes errors to the host's log. */
  readonly onError?: OnRecordingError | undefined;
  /** Default is the system's clock, and random UUIDs. */
  readonly clock?: RecorderClock | undefined;
  /** Beyond it, the recorder no longer waits for the oldest. It remembers the same number of ended spans. Default is 10,000. */
  readonly maxOpenSpans?: number | undefined;
}

const RUN_RECORDER_OPTIONS = {
  onError: FUNCTION,
  clock: RECORDER_CLOCK,
  maxOpenSpans: numberFrom(1, "a number of spans"),
  ...BUFFER_OPTIONS,
} satisfies OptionTable<RunRecorderOptions>;

const MOST_SESSIONS = 1_000;

/**
 * Records the spans of a framework. The topmost agents are turns of a session, each on its own trace; agents in them are sub-agents.
 * Spans that name no session are a session per trace. No call for a span throws or waits: failures, and spans with an unknown member such
 * as a misspelt `tenantId`, go to `onError`.
 * @example
 * const recorder = new RunRecorder(createFilesystemSessionStore("./data"), { onError: (error) => log.warn(error) });
 * recorder.start({ id: "1", kind: "agent", name: "helper", sessionId: "s1", input: "Hello" });
 * recorder.start({ id: "2", parentId: "1", kind: "model", name: "chat", messages: [{ role: "user", content: "Hello" }] });
 * recorder.end("2", { answer: [{ role: "assistant", content: "Hi" }], usage: { inputTokens: 9, outputTokens: 2 } });
 * recorder.end("1", { output: "Hi" });
 * await recorder.flush();
 */
export class RunRecorder {
  readonly #clock: RecorderClock;
  readonly #onError: OnRecordingError;
  readonly #mostSpans: number;
  readonly #sessions: SessionRecorder | undefined;
  readonly #writes: Writes;
  readonly #writers: WritersOfSessions;
  readonly #trees = new Map<string, SpanTree>();
  readonly #open = new Map<string, OpenSpan>();
  readonly #past = new Map<string, OpenSpan>();

  /**
   * @param target a store, or the one session that all spans belong to, whose owner records its turns
   * @throws TypeError if an option does not exist or has a value of another kind
   * @throws RangeError for a number below 1
   */
  constructor(target: SessionStore | RecordedSession, options: RunRecorderOptions = {}) {
    const settings = checkOptions(RUN_RECORDER_OPTIONS, options);
    const { clock = SYSTEM_CLOCK, onError = writeError, maxOpenSpans = 10_000, ...limits } = settings;
    this.#clock = clock;
    this.#onError = onError;
    this.#mostSpans = maxOpenSpans;
    this.#writes = new Writes(limits.maxWaitingRecords ?? 50_000, (cause) =>
      this.report("record a span", cause),
    );
    if (target instanceof RecordedSession) {
      const writer = new SessionWriter(target, this.#writes);
      this.#writers = { of: () => writer };
    } else {
      this.#sessions = new SessionRecorder(target, { clock, onError, ...limits });
      this.#writers = new SessionWriters(this.#sessions, this.#writes, MOST_SESSIONS);
    }
  }

  /** A span may start before its parent, or without it. */
  start(span: RunSpan): void {
    this.#safely(`record that the span "${span.id}" started`, () => {
      checkNames(SPAN_MEMBERS, span);
      if (this.#open.has(span.id)) throw new RecordingError(`The span "${span.id}" has started already.`);
      const parent = this.#registered(span.parentId);
      const tree = this.#treeOf(span, parent);
      const open = new OpenSpan(span, this.#instant(span.at), tree, parent);
      this.#open.set(span.id, open);
      tree.open++;
      tree.identify(open.identity);
      const awaited = tree.awaited.get(span.id);
      if (awaited !== undefined) {
        tree.awaited.delete(span.id);
        open.began = awaited;
        open.run = awaited;
      } else if (parent === undefined) open.run = tree.awaited.get(span.parentId ?? "");
      if (this.#open.size > this.#mostSpans) this.#forget(this.#open.values().next().value!);
      beginSpan(open, span, this.#writers);
    });
  }

  end(id: string, result: RunSpanResult = {}): void {
    this.#safely(`record that the span "${id}" ended`, () => {
      checkNames(SPAN_MEMBERS, result);
      const open = this.#registered(id);
      if (open === undefined || open.state === "ended") {
        throw new RecordingError(
          `The span "${id}" is not open: it did not start, ended before, or is forgotten.`,
        );
      }
      const at = Math.max(this.#instant(result.at), open.startedAt);
      open.tree.lastEnd = Math.max(open.tree.lastEnd, at);
      const wasOpen = open.state === "open";
      endSpan(open, result, at, this.#writers);
      if (wasOpen) this.#leave(open);
    });
  }

  /**
   * Records an event of a span that lies in a run.
   * @param at a `Date`, or milliseconds since the epoch. Default is now
   */
  note(id: string, event: TraceEvent, at?: RecordedInstant): void {
    this.#safely("record a span", () => this.#registered(id)?.run?.record(event, this.#instant(at)));
  }

  /** Stops waiting for a span that never reports its end, and records the available facts. */
  leave(id: string, result: Pick<RunSpanResult, "addsMessages" | "messages" | "answer"> = {}): void {
    const open = this.#open.get(id);
    if (open === undefined) return;
    this.#safely("close", () => {
      addTexts(open, result, this.#clock.now());
      this.#forget(open);
    });
  }

  /**
   * Waits until all reported spans are stored, or are reported as lost. It never rejects. With a session as target, flush the recorder
   * that opened the session as well.
   * @throws TypeError if an option does not exist
   */
  flush(options: FlushOptions = {}): Promise<FlushReport> {
    return this.#flush(checkOptions(FLUSH_OPTIONS, options));
  }

  /**
   * Call this when the agents have ended: it stops waiting for open spans, then flushes.
   * @throws TypeError if an option does not exist
   */
  close(options: FlushOptions = {}): Promise<FlushReport> {
    const settings = checkOptions(FLUSH_OPTIONS, options);
    for (const open of [...this.#open.values()].reverse()) this.#safely("close", () => this.#forget(open));
    return this.#flush(settings);
  }

  async #flush(options: FlushOptions): Promise<FlushReport> {
    for (const [key, tree] of this.#trees) {
      if (tree.open > 0) continue;
      tree.endAwaited();
      this.#trees.delete(key);
    }
    await this.#writes.settle();
    const { lost, waiting } = (await this.#sessions?.flush(options)) ?? { lost: 0, waiting: 0 };
    return { lost: lost + this.#writes.lost, waiting };
  }

  report(what: string, cause: unknown): void {
    const error =
      cause instanceof RecordingError ? cause : new RecordingError(`Could not ${what}.`, { cause });
    report(this.#onError, error);
  }

  #registered(id: string | undefined): OpenSpan | undefined {
    return id === undefined ? undefined : (this.#open.get(id) ?? this.#past.get(id));
  }

  #treeOf({ id, parentId, traceId }: RunSpan, parent: OpenSpan | undefined): SpanTree {
    const key = traceId ?? parent?.tree.key ?? this.#keyAwaiting(id) ?? parentId ?? id;
    const tree = this.#trees.get(key) ?? (parent?.tree.key === key ? parent.tree : new SpanTree(key));
    this.#trees.set(key, tree);
    if (this.#trees.size > this.#mostSpans) this.#endOldestIdleTree();
    return tree;
  }

  /** The root identifies a trace without an id, even if a child of the root was reported first. */
  #keyAwaiting(id: string): string | undefined {
    return this.#trees.has(id) ? id : undefined;
  }

  #endOldestIdleTree(): void {
    for (const [key, tree] of this.#trees) {
      if (tree.open > 0) continue;
      tree.endAwaited();
      this.#trees.delete(key);
      return;
    }
  }

  #forget(open: OpenSpan): void {
    const at = this.#clock.now();
    open.tree.lastEnd = Math.max(open.tree.lastEnd, at);
    if (open.kind === "other") recordOther(open, undefined, at);
    open.began?.close(at);
    open.leave(undefined, false, "forgotten");
    this.#leave(open);
  }

  #leave(open: OpenSpan): void {
    const { id, tree } = open;
    this.#open.delete(id);
    this.#past.delete(id);
    this.#past.set(id, open);
    if (this.#past.size > this.#mostSpans) this.#past.delete(this.#past.keys().next().value!);
    tree.open--;
    if (tree.open === 0 && tree.awaited.size === 0) this.#trees.delete(tree.key);
  }

  #instant(at: RecordedInstant | undefined): number {
    try {
      return Math.floor(instantFor(at, this.#clock));
    } catch (error) {
      this.report("read an instant", error);
      return Math.floor(this.#clock.now());
    }
  }

  #safely(what: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      this.report(what, error);
    }
  }
}

function writeError(error: RecordingError): void {
  // biome-ignore lint/suspicious/noConsole: the host's log is where a failure belongs, and this is the default to reach it
  console.error("agent-inspector:", error);
}
