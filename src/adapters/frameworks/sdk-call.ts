import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import type { RunSpanResult } from "../../recording/run-span.js";
import type { AskedModel, SessionCalls } from "../../recording/session-calls.js";
import { abortReason, endOfThrown } from "./sdk-values.js";

/** What is read of a stream, event by event. */
export interface StreamReader {
  /** An event that the vendor sent. */
  read(event: JsonObject): void;
  /** What is known of the answer so far. */
  readonly result: RunSpanResult;
  /** Whether the answer is whole. */
  readonly isWhole: boolean;
}

/** How the calls of one method of a vendor's client are read. */
export interface CallReader {
  asked(body: JsonObject): AskedModel;
  answered(data: JsonObject, body: JsonObject): RunSpanResult;
  stream(body: JsonObject): StreamReader;
}

/** One call of a client's method, while it goes on. Nothing that goes wrong in recording reaches whoever calls. */
export class SdkCall {
  readonly #calls: SessionCalls;
  readonly #reader: CallReader;
  readonly #body: JsonObject;
  readonly #signal: unknown;
  /** `undefined` once it has ended. */
  #id: string | undefined;

  constructor(calls: SessionCalls, reader: CallReader, body: unknown, options: unknown) {
    this.#calls = calls;
    this.#reader = reader;
    this.#body = isJsonObject(body) ? body : {};
    this.#signal = isJsonObject(options) ? options.signal : undefined;
    this.#safely(() => {
      this.#id = calls.start(reader.asked(this.#body));
    });
  }

  /** What the method gave: an answer, or a stream that is read on its way to whoever reads it. */
  take<Data>(data: Data): Data {
    this.#safely(() => {
      if (!isJsonObject(data)) return this.end({});
      if (this.#body.stream === true && Symbol.asyncIterator in data) return this.#readOnTheWay(data);
      this.end(this.#reader.answered(data, this.#body));
    });
    return data;
  }

  fail(thrown: unknown): void {
    this.#safely(() => this.end(endOfThrown(thrown, this.#signal)));
  }

  end(result: RunSpanResult): void {
    const id = this.#id;
    this.#id = undefined;
    if (id !== undefined) this.#safely(() => this.#calls.end(id, result));
  }

  #readOnTheWay(stream: JsonObject): void {
    const own = stream as JsonObject & {
      iterator?: unknown;
      [Symbol.asyncIterator]: () => AsyncIterator<unknown>;
    };
    // What the client's own ways to read a stream have in common: its iterator.
    const name = typeof own.iterator === "function" ? "iterator" : Symbol.asyncIterator;
    const begin = (own[name] as () => AsyncIterator<unknown>).bind(own);
    Object.defineProperty(own, name, {
      configurable: true,
      writable: true,
      value: () => this.#events(begin(), isJsonObject(own.controller) ? own.controller : {}),
    });
  }

  async *#events(iterator: AsyncIterator<unknown>, controller: JsonObject): AsyncGenerator<unknown, void> {
    const reader = this.#reader.stream(this.#body);
    const read = (event: unknown) => this.#safely(() => isJsonObject(event) && reader.read(event));
    const so = (end: RunSpanResult) => this.#safely(() => this.end({ ...reader.result, ...end }));
    try {
      for await (const event of { [Symbol.asyncIterator]: () => iterator }) {
        read(event);
        yield event;
      }
      // A stream that is aborted ends as if nothing had happened.
      const reason = reader.isWhole
        ? undefined
        : (abortReason(this.#signal) ?? abortReason(controller.signal));
      if (reader.isWhole) so({});
      else if (reason === undefined)
        so({ error: { message: "The stream ended before the answer was whole." } });
      else
        so({
          isCancelled: reason !== "TimeoutError",
          error: { message: "Request was aborted.", type: reason },
        });
    } catch (thrown) {
      so(endOfThrown(thrown, this.#signal));
      throw thrown;
    } finally {
      // Whoever reads it has left.
      so(reader.isWhole ? {} : { isCancelled: true });
    }
  }

  #safely(work: () => unknown): void {
    try {
      work();
    } catch (error) {
      this.#calls.report("read what the client told", error);
    }
  }
}
