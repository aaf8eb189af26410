import type { Message } from "../domain/conversation/message.js";
import { jsonTextOf } from "../domain/json/json-text-of.js";
import { longFingerprint } from "../domain/text/fingerprints.js";
import { roleOf } from "./said.js";

/** What a model call adds to a conversation. */
export interface ConversationStep {
  readonly isRewritten: boolean;
  /** What is new; of a conversation that was rewritten, all of it. */
  readonly messages: readonly Message[];
}

/** What one chain of calls was last given, as fingerprints: each call repeats it. */
interface Thread {
  system: string;
  known: readonly string[];
  /** How many answers were added behind. The next call repeats them in its own spelling. */
  answers: number;
  run: object;
  /** Whether a call went on with one before it, and whether one did that in a later run. */
  isContinued: boolean;
  isKept: boolean;
}

/** An agent may call its model for other things between, such as a title: so many are told apart. */
const MOST_THREADS = 4;

/** Finds in calls that repeat a conversation what each of them adds. It keeps fingerprints of the last calls alone. */
export class Conversation {
  /** The newest first. */
  #threads: Thread[] = [];
  #isResumed: boolean;
  /** Whether a compaction was recorded whose result no call has been given yet. */
  #expectsRewriting = false;
  /** Whether a call has told that it was given a compacted view, or one was seen to be. */
  #isCompacted = false;

  /** @param isResumed whether there are messages of it that were never seen here: those of another process */
  constructor(isResumed: boolean) {
    this.#isResumed = isResumed;
  }

  /** A compaction is recorded as such: that the next call is given another conversation says it again. */
  expectRewriting(): void {
    this.#expectsRewriting = true;
    this.#isCompacted = true;
  }

  /**
   * Which compaction a call tells of that is not recorded, by what shows it. That its context is a compacted view it says again with each
   * call that follows.
   *
   * @param isTold whether it says so
   * @param isRewritten whether it was given another conversation
   */
  compactionIn(isTold: boolean, isRewritten: boolean): string | undefined {
    const isNew = isTold && !this.#isCompacted;
    if (isTold || isRewritten) this.#isCompacted = true;
    if (!isRewritten) return isNew ? "conversation_compacted" : undefined;
    const isRecorded = this.#expectsRewriting;
    this.#expectsRewriting = false;
    return isRecorded ? undefined : "conversation_rewritten";
  }

  /** @param run whatever is the same for all calls of one run */
  ask(input: readonly Message[], run: object): ConversationStep {
    if (input.length === 0) return added(input);
    const said = input.filter((message) => roleOf(message) !== "system");
    const prints = said.map(printOf);
    const systems = input.filter((message) => roleOf(message) === "system");
    const system = systems.map(printOf).join();
    const newSystem = this.#threads.some((thread) => thread.system === system) ? [] : systems;
    const next = { system, known: prints, answers: 0, run, isContinued: false, isKept: false };
    if (this.#isResumed) {
      this.#isResumed = false;
      this.#put(next);
      // What stands behind the last answer cannot have been recorded before.
      const answered = said.findLastIndex((message) => roleOf(message) === "assistant");
      return added(answered === -1 ? input : said.slice(answered + 1));
    }
    const { known, start } = this.#continued(prints, system);
    if (known !== undefined) {
      const isContinued = known.isContinued || start < prints.length;
      const isKept = known.isKept || (known.run !== run && start < prints.length);
      const isShorter = start > prints.length;
      const prior = isShorter ? known.known : prints;
      this.#put({ ...next, known: prior, isContinued, isKept }, known);
      return added([...newSystem, ...withoutAnswers(said.slice(start), known.answers)]);
    }
    const last = this.#threads.find((thread) => thread.system === system);
    if (last !== undefined && isRewriting(last, prints, run)) {
      this.#put({ ...next, isContinued: true, isKept: last.isKept }, last);
      return { isRewritten: true, messages: input };
    }
    const seen = new Set(this.#threads.flatMap((thread) => thread.known));
    this.#put(next, last);
    return added([...newSystem, ...said.filter((_, i) => !seen.has(prints[i]!))]);
  }

  /** Is told of the answer to the last call. */
  answer(messages: readonly Message[]): void {
    const [last] = this.#threads;
    if (last !== undefined) last.answers += messages.length;
  }

  /** The thread that a call goes on with, and how much of the call it knows. */
  #continued(prints: readonly string[], system: string): { known?: Thread; start: number } {
    for (const thread of this.#threads) {
      const { known } = thread;
      if (known.length > 0 && begins(prints, known, 0)) return { known: thread, start: known.length };
    }
    for (const thread of this.#threads) {
      if (thread.system !== system || prints.length === 0) continue;
      const { known } = thread;
      // Asked again, without what came after.
      if (begins(known, prints, 0)) return { known: thread, start: prints.length + 1 };
      // A window over the newest messages.
      const at = known.indexOf(prints[0]!);
      if (at > 0 && begins(prints, known, at)) return { known: thread, start: known.length - at };
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

/** Whether `list` begins with all of `start` from a place on. */
function begins(list: readonly string[], start: readonly string[], from: number): boolean {
  if (list.length < start.length - from) return false;
  for (let i = from; i < start.length; i++) if (list[i - from] !== start[i]) return false;
  return true;
}

/** Whether a call that does not go on with a thread has another spelling of it, and not something else to say. */
function isRewriting(last: Thread, prints: readonly string[], run: object): boolean {
  if (last.run === run ? last.isContinued : last.isKept) return true;
  const all = new Set(last.known);
  return prints.some((print) => all.has(print));
}

function withoutAnswers(messages: readonly Message[], answers: number): readonly Message[] {
  let start = 0;
  while (start < answers && start < messages.length && roleOf(messages[start]!) === "assistant") start++;
  return messages.slice(start);
}

/** Marks that a caller moves from message to message, which say nothing themselves. */
const MARKS: ReadonlySet<string> = new Set([
  "providerOptions",
  "providerMetadata",
  "cache_control",
  "cacheControl",
]);

function printOf(message: Message): string {
  return longFingerprint(jsonTextOf(message, MARKS)!);
}
