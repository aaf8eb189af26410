import type { Message } from "../domain/conversation/message.js";
import type { RunSpanFacts, RunSpanResult } from "./run-span.js";
import { promptIn } from "./said.js";

export interface RunStart extends Pick<RunSpanFacts, "name" | "input" | "title" | "startMembers"> {
  readonly id: string;
  /** The step that its root lies in, where that is known. */
  readonly partOf: string | undefined;
  readonly at: number;
}

/** What a model is given, and whether that is told to be a compacted view of the conversation. */
export interface GivenContext {
  readonly messages: readonly Message[];
  readonly isCompacted: boolean;
  /** Whether they are those alone that are new. */
  readonly isAdded?: boolean;
}

/** How a run ended, as far as that is known. */
export type RunEnd = Pick<
  RunSpanResult,
  "input" | "output" | "waitsFor" | "error" | "isCancelled" | "otherAttributes" | "endMembers"
>;

/** A prompt, where there is one: what else an agent is given repeats the conversation. */
export function givenIn(input: unknown): unknown {
  return promptIn(input) ?? input;
}
