import { isJsonObject, type JsonObject, objectField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { addTo } from "../../../domain/lists/lists.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import { instantOf } from "../../../domain/trace/instant.js";
import { runsOf } from "../../transcripts/recorder/message-places.js";
import { LineWriter } from "./line-writer.js";
import type { RunHeader } from "./log.js";
import { type SampleParts, samplePartsOf } from "./sample-parts.js";
import { Spans } from "./spans.js";

/** Looking up one message of a request takes about as long as writing this many bytes. */
const BYTES_A_MESSAGE = 128;

const MOST_NESTED = 20;

/**
 * Writes a sample as lines: its facts, then its events in order, with their attachments. A model call follows the new messages of its
 * request, and lists the messages of its agent. A tool call ends in a separate line, after the events in it.
 * @param about the log's facts about its run
 * @param work receives further work, as the number of written bytes that take as long
 */
export function* linesOf(
  bytes: Buffer,
  about: RunHeader,
  write: (bytes: Uint8Array) => void,
  work?: (bytes: number) => void,
): Generator<void, void> {
  const parts = yield* samplePartsOf(bytes);
  const out = new LineWriter(write, parts.attachments);
  const writing = new SampleLines(out, parts, work);
  writing.begin(about);
  for (const event of parts.events()) {
    writing.event(event, 0);
    yield;
  }
  writing.end();
  out.flush();
}

interface Written {
  readonly places: Map<number, number[]>;
  count: number;
}

interface Message {
  readonly value: JsonObject;
  readonly key: number;
}

class SampleLines {
  readonly #work: ((bytes: number) => void) | undefined;
  readonly #out: LineWriter;
  readonly #parts: SampleParts;
  readonly #written = new Map<string, Written>();
  readonly #open: { readonly at: number; readonly end: JsonObject }[] = [];
  readonly #spans: Spans;
  /** Requests name messages of the pool many times. */
  readonly #messages = new WeakMap<JsonObject, Message>();
  #isScored = false;
  #isFailed = false;
  #isPrompt = false;
  #isEnded = false;

  constructor(out: LineWriter, parts: SampleParts, work: ((bytes: number) => void) | undefined) {
    this.#work = work;
    this.#out = out;
    this.#parts = parts;
    this.#spans = new Spans(parts.events("span_begin"));
  }

  begin(about: RunHeader): void {
    const { sample } = this.#parts;
    const { eval: run, status, version, error } = about;
    this.#out.line({ line: "sample", log: { version, status, error, eval: run }, sample });
    const retries = Array.isArray(sample.error_retries) ? sample.error_retries : [];
    for (const retry of retries) this.#out.line({ line: "retry", error: retry });
  }

  event(event: JsonObject, depth: number): void {
    const at = instantOf(event.timestamp) ?? Number.NaN;
    while (this.#open.length > 0 && this.#open[0]!.at <= at) this.#out.line(this.#open.shift()!.end);
    if (isScoring(event)) this.#endTurn(event.timestamp);
    const agent = this.#spans.agentOf(event);
    const owner = agent === "" ? {} : { agent };
    const { events, ...own } = event;
    if (event.event === "model") this.#modelCall(own, agent);
    else if (event.event === "tool") this.#beginTool({ ...own, ...owner });
    else this.#out.line({ ...own, ...owner, ...this.#besides(own) });
    this.#isScored ||= event.event === "score";
    this.#isFailed ||= event.event === "error";
    for (const inner of Array.isArray(events) && depth < MOST_NESTED ? events : [])
      if (isJsonObject(inner)) this.event(inner, depth + 1);
  }

  #besides(event: JsonObject): JsonObject {
    if (event.event === "score") return { name: event.scorer ?? this.#spans.nameOf(event) };
    return event.event === "sandbox" && this.#open.length === 1
      ? { tool_call_id: this.#open[0]!.end.id }
      : {};
  }

  #beginTool({
    result,
    error,
    failed,
    truncated,
    completed,
    working_time: working,
    ...begun
  }: JsonObject): void {
    const spawned = this.#spans.agentOfSpan(begun.agent_span_id);
    this.#out.line({ ...begun, spawned });
    const { id, function: name, agent } = begun;
    const outcome = { result, error, failed, truncated, working_time: working };
    const end = { event: "tool_end", timestamp: completed, id, function: name, agent, spawned, ...outcome };
    const at = instantOf(completed) ?? Number.NEGATIVE_INFINITY;
    const place = this.#open.findIndex((other) => other.at > at);
    this.#open.splice(place < 0 ? this.#open.length : place, 0, { at, end });
  }

  #modelCall({ input, input_refs: refs, call: _, ...event }: JsonObject, agent: string): void {
    const owner = agent === "" ? {} : { agent };
    const request = this.#requestOf(input, refs);
    this.#work?.(request.length * BYTES_A_MESSAGE);
    const context = this.#placesOf(request, agent, event.timestamp);
    this.#isPrompt ||= agent === "" && request.length > 0;
    const output = objectField(event, "output");
    const choices = Array.isArray(output.choices) ? output.choices.filter(isJsonObject) : [];
    const { message, ...choice } = choices[0] ?? {};
    if (isJsonObject(message)) this.#note(this.#messageOf(message), agent);
    const others = choices.length > 1 ? { choices: choices.slice(1) } : {};
    const { choices: __, completion: ___, ...rest } = output;
    this.#out.line({
      ...event,
      ...owner,
      output: { ...rest, ...choice, ...others },
      context: runsOf(context),
      message,
    });
  }

  /** Ranges of the sample's pool must not overlap: further names are ignored. */
  #requestOf(input: unknown, refs: unknown): readonly Message[] {
    const messages: unknown[] = Array.isArray(input) ? [...input] : [];
    const most = messages.length + this.#parts.pool.length;
    for (const range of Array.isArray(refs) ? refs : []) {
      const [from, to] = Array.isArray(range) ? range : [];
      if (!Number.isInteger(from) || !Number.isInteger(to)) continue;
      for (const message of this.#parts.pool.slice(from, to))
        if (messages.length < most) messages.push(message);
      if (messages.length === most) break;
    }
    return this.#messagesOf(messages);
  }

  #messagesOf(stored: readonly unknown[]): readonly Message[] {
    return stored.filter(isJsonObject).map((message) => this.#messageOf(message));
  }

  #messageOf(stored: JsonObject): Message {
    const existing = this.#messages.get(stored);
    if (existing !== undefined) return existing;
    const value = this.#out.resolved(stored);
    const message = { value, key: keyOf(value) };
    this.#messages.set(stored, message);
    return message;
  }

  #placesOf(messages: readonly Message[], agent: string, timestamp: unknown): number[] {
    const { places } = this.#of(agent);
    const owner = agent === "" ? {} : { agent };
    const times = new Map<number, number>();
    return messages.map((message) => {
      const nth = times.get(message.key) ?? 0;
      times.set(message.key, nth + 1);
      const existing = places.get(message.key)?.[nth];
      if (existing !== undefined) return existing;
      this.#out.line({ line: "message", timestamp, ...owner, message: message.value });
      return this.#note(message, agent);
    });
  }

  #note({ key }: Message, agent: string): number {
    const written = this.#of(agent);
    addTo(written.places, key, written.count);
    return written.count++;
  }

  #of(agent: string): Written {
    const existing = this.#written.get(agent) ?? { places: new Map<number, number[]>(), count: 0 };
    this.#written.set(agent, existing);
    return existing;
  }

  end(): void {
    for (const { end } of this.#open.splice(0)) this.#out.line(end);
    const { input, completed_at: timestamp, scores } = this.#parts.sample;
    const { messages } = this.#parts;
    const prompt = typeof input === "string" ? [{ role: "user", content: input }] : input;
    if (!this.#isPrompt) this.#placesOf(this.#messagesOf([prompt].flat()), "", timestamp);
    this.#placesOf(this.#messagesOf(messages), "", timestamp);
    this.#endTurn(timestamp);
    const scoreFields = this.#isScored ? {} : objectField({ scores }, "scores");
    for (const [name, score] of Object.entries(scoreFields))
      this.#out.line({ event: "score", name, timestamp, score });
  }

  #endTurn(timestamp: unknown): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    const { error, limit } = this.#parts.sample;
    const ended = { error: error ?? undefined, limit: limit ?? undefined, is_reported: this.#isFailed };
    this.#out.line({ line: "end", timestamp, ...ended });
  }
}

function isScoring({ event, type, action, intermediate }: JsonObject): boolean {
  if (event === "score") return intermediate !== true;
  const isScorer = type === "scorer" || type === "scorers";
  return isScorer && (event === "span_begin" || (event === "step" && action === "begin"));
}

/** An answer has another id, or none, when a later request repeats it. */
function keyOf({ role, content, tool_calls: calls, tool_call_id: id, error }: JsonObject): number {
  return hash53(jsonTextOf([role, content, calls, id, error])!);
}
