import type { Message } from "../domain/conversation/message.js";
import { jsonTextOf } from "../domain/json/json-text-of.js";
import { longFingerprint } from "../domain/text/fingerprints.js";
import { roleOf } from "./message-texts.js";

export interface ConversationStep {
  readonly isRewritten: boolean;
  readonly messages: readonly Message[];
}

/** Fingerprints of the latest context: each call repeats the messages of the previous one. */
interface Thread {
  system: string;
  previous: readonly string[];
  /** The next call repeats these answers in its own spelling. */
  answers: number;
  run: object;
  /** `isContinued`: true if a call continued a previous call. `isRetained`: true if a call did that in a later run. */
  isContinued: boolean;
  isRetained: boolean;
}

/** An agent may call its model for other purposes in between, such as a title. */
const MOST_THREADS = 4;

/** Determines the messages that each call adds to a conversation. Stores fingerprints of the last calls only. */
export class Conversation {
  /** The newest first. */
  #threads: Thread[] = [];
  #isResumed: boolean;
  /** True between a compaction and the first call that uses its result. */
  #expectsRewriting = false;
  #isCompacted = false;

  /** @param isResumed true if another process recorded earlier messages of the conversation */
  constructor(isResumed: boolean) {
    this.#isResumed = isResumed;
  }

  expectRewriting(): void {
    this.#expectsRewriting = true;
    this.#isCompacted = true;
  }

  /**
   * Returns the evidence for an unrecorded compaction. Each later call repeats that its context is a compacted view.
   * @param isReported true if the call states that its context is a compacted view
   */
  compactionIn(isReported: boolean, isRewritten: boolean): string | undefined {
    const isNew = isReported && !this.#isCompacted;
    if (isReported || isRewritten) this.#isCompacted = true;
    if (!isRewritten) return isNew ? "conversation_compacted" : undefined;
    const isRecorded = this.#expectsRewriting;
    this.#expectsRewriting = false;
    return isRecorded ? undefined : "conversation_rewritten";
  }

  ask(input: readonly Message[], run: object): ConversationStep {
    if (input.length === 0) return added(input);
    const spoken = input.filter((message) => roleOf(message) !== "system");
    const prints = spoken.map(printOf);
    const systems = input.filter((message) => roleOf(message) === "system");
    const system = systems.map(printOf).join();
    const newSystem = this.#threads.some((thread) => thread.system === system) ? [] : systems;
    const next = { system, previous: prints, answers: 0, run, isContinued: false, isRetained: false };
    if (this.#isResumed) {
      this.#isResumed = false;
      this.#put(next);
      // Messages after the last answer cannot have been recorded before.
      const answered = spoken.findLastIndex((message) => roleOf(message) === "assistant");
      return added(answered === -1 ? input : spoken.slice(answered + 1));
    }
    const { previous, start } = this.#continued(prints, system);
    if (previous !== undefined) {
      const isContinued = previous.isContinued || start < prints.length;
      const isRetained = previous.isRetained || (previous.run !== run && start < prints.length);
      const isShorter = start > prints.length;
      const prior = isShorter ? previous.previous : prints;
      this.#put({ ...next, previous: prior, isContinued, isRetained }, previous);
      return added([...newSystem, ...withoutAnswers(spoken.slice(start), previous.answers)]);
    }
    const last = this.#threads.find((thread) => thread.system === system);
    if (last !== undefined && isRewriting(last, prints, run)) {
      this.#put({ ...next, isContinued: true, isRetained: last.isRetained }, last);
      return { isRewritten: true, messages: input };
    }
    const existing = new Set(this.#threads.flatMap((thread) => thread.previous));
    this.#put(next, last);
    return added([...newSystem, ...spoken.filter((_, i) => !existing.has(prints[i]!))]);
  }

  answer(messages: readonly Message[]): void {
    const [last] = this.#threads;
    if (last !== undefined) last.answers += messages.length;
  }

  #continued(prints: readonly string[], system: string): { previous?: Thread; start: number } {
    for (const thread of this.#threads) {
      const { previous } = thread;
      if (previous.length > 0 && begins(prints, previous, 0))
        return { previous: thread, start: previous.length };
    }
    for (const thread of this.#threads) {
      if (thread.system !== system || prints.length === 0) continue;
      const { previous } = thread;
      // The call repeats an earlier prompt, without the later messages.
      if (begins(previous, prints, 0)) return { previous: thread, start: prints.length + 1 };
      const at = previous.indexOf(prints[0]!);
      if (at > 0 && begins(prints, previous, at)) return { previous: thread, start: previous.length - at };
    }
    return { start: 0 };
  }

  #put(thread: Thread, instead?: Thread): void {
    const others = this.#threads.filter((other) => other !== instead);
    this.#threads = [thread, ...others].slice(0, MOST_THREADS);
  }
}

function added(messages: readonly Message[]): ConversationStep {
  return { isRewritten: false, messages };
}

function begins(list: readonly string[], start: readonly string[], from: number): boolean {
  if (list.length < start.length - from) return false;
  for (let i = from; i < start.length; i++) if (list[i - from] !== start[i]) return false;
  return true;
}

function isRewriting(last: Thread, prints: readonly string[], run: object): boolean {
  if (last.run === run ? last.isContinued : last.isRetained) return true;
  const all = new Set(last.previous);
  return prints.some((print) => all.has(print));
}

function withoutAnswers(messages: readonly Message[], answers: number): readonly Message[] {
  let start = 0;
  while (start < answers && start < messages.length && roleOf(messages[start]!) === "assistant") start++;
  return messages.slice(start);
}

/** A caller moves these marks from message to message; they have no content. */
const MARKS: ReadonlySet<string> = new Set([
  "providerOptions",
  "providerMetadata",
  "cache_control",
  "cacheControl",
]);

function printOf(message: Message): string {
  return longFingerprint(jsonTextOf(message, MARKS)!);
}
