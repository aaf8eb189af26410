import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import type { RequestedModel, SessionCalls } from "../../recording/session-calls.js";
import { UnreadableAnswer } from "./answer-limits.js";
import { abortReason, endOfThrown } from "./sdk-values.js";

export interface StreamReader {
  read(event: JsonObject): void;
  readonly result: RunSpanResult;
  readonly isComplete: boolean;
  /** A request option that would complete the answer, with instructions. */
  readonly advice?: string | undefined;
}

export interface CallReader {
  requestOf(body: JsonObject): RequestedModel;
  answered(data: JsonObject, body: JsonObject): RunSpanResult;
  stream(body: JsonObject): StreamReader;
}

/** No failure of the recording reaches the caller. */
export class SdkCall {
  readonly #calls: SessionCalls;
  readonly #reader: CallReader;
  readonly #body: JsonObject;
  readonly #signal: unknown;
  readonly #reported: Set<string>;
  #id: string | undefined;
  #stopped: string | undefined;

  constructor(
    calls: SessionCalls,
    reader: CallReader,
    [body, options]: readonly unknown[],
    reported: Set<string>,
  ) {
    this.#calls = calls;
    this.#reader = reader;
    this.#reported = reported;
    this.#body = isJsonObject(body) ? body : {};
    this.#signal = isJsonObject(options) ? options.signal : undefined;
    this.#safely(() => {
      this.#id = calls.start(reader.requestOf(this.#body));
    });
  }

  take<Data>(data: Data): Data {
    if (!isJsonObject(data)) this.end(() => ({}));
    else if (this.#body.stream === true && Symbol.asyncIterator in data)
      this.#safely(() => this.#readOnTheWay(data));
    else this.end(() => this.#reader.answered(data, this.#body));
    return data;
  }

  fail(thrown: unknown): void {
    this.end(() => endOfThrown(thrown, this.#signal));
  }

  end(resultOf: () => RunSpanResult): void {
    const id = this.#id;
    if (id === undefined) return;
    this.#id = undefined;
    let result: RunSpanResult = {};
    try {
      result = resultOf();
    } catch (error) {
      this.#stop(error);
    }
    const otherAttributes = this.#stopped === undefined ? undefined : { recordingStopped: this.#stopped };
    this.#safely(() => this.#calls.end(id, { ...result, otherAttributes }));
  }

  /** Uses the client's own iterator, so that the reader gets the same object and order of events. */
  #readOnTheWay(stream: JsonObject): void {
    const own = stream as JsonObject & {
      iterator?: unknown;
      [Symbol.asyncIterator]: () => AsyncIterator<unknown>;
    };
    // The client's own ways to read a stream share its iterator.
    const name = typeof own.iterator === "function" ? "iterator" : Symbol.asyncIterator;
    const begin = (own[name] as () => AsyncIterator<unknown>).bind(own);
    const controller = isJsonObject(own.controller) ? own.controller : {};
    let isRead = false;
    Object.defineProperty(own, name, {
      configurable: true,
      writable: true,
      value: () => {
        const iterator = begin();
        // A stream can be read once: a second iterator only throws.
        if (!isRead) this.#safely(() => this.#follow(iterator, controller));
        isRead = true;
        return iterator;
      },
    });
  }

  #follow(iterator: AsyncIterator<unknown>, controller: JsonObject): void {
    const reader = this.#reader.stream(this.#body);
    const finish = (how: RunSpanResult) => this.end(() => ({ ...reader.result, ...how }));
    // Recording adds only one promise for each event.
    const onResult = (result: IteratorResult<unknown>) => {
      if (result.done === true) {
        finish(this.#endOfStream(reader.isComplete, controller));
        this.#advise(reader);
      } else if (this.#stopped === undefined) this.#read(reader, result.value);
      return result;
    };
    const onThrown = (thrown: unknown) => {
      finish(endOfThrown(thrown, this.#signal));
      throw thrown;
    };
    const next = iterator.next.bind(iterator);
    iterator.next = (...args) => Promise.resolve(next(...args)).then(onResult, onThrown);
    for (const leave of ["return", "throw"] as const) {
      const original = iterator[leave]?.bind(iterator);
      if (original === undefined) continue;
      iterator[leave] = (args?: unknown) => {
        finish(reader.isComplete ? {} : { isCancelled: true });
        return original(args);
      };
    }
  }

  /** An aborted stream ends like a complete one. */
  #endOfStream(isComplete: boolean, controller: JsonObject): RunSpanResult {
    if (isComplete) return {};
    const reason = abortReason(this.#signal) ?? abortReason(controller.signal);
    if (reason !== undefined)
      return {
        isCancelled: reason !== "TimeoutError",
        error: { message: "Request was aborted.", type: reason },
      };
    if (this.#stopped !== undefined) return {};
    return { error: { message: "The stream ended before the answer was complete." } };
  }

  #read(reader: StreamReader, event: unknown): void {
    try {
      if (isJsonObject(event)) reader.read(event);
    } catch (error) {
      this.#stop(error);
    }
  }

  #stop(error: unknown): void {
    this.#stopped = error instanceof UnreadableAnswer ? error.message : "it has an unexpected form";
    this.#calls.report(`record the rest of a model's answer, because ${this.#stopped}`, error);
  }

  #advise({ isComplete, advice }: StreamReader): void {
    if (!isComplete || advice === undefined || this.#stopped !== undefined || this.#reported.has(advice))
      return;
    this.#reported.add(advice);
    this.#calls.advise(advice);
  }

  #safely(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#calls.report("read the data of the client", error);
    }
  }
}
