import type { Message } from "../domain/conversation/message.js";
import type { RunSpanFacts, RunSpanResult } from "./run-span.js";
import { promptIn } from "./said.js";

export interface RunStart extends Pick<RunSpanFacts, "name" | "input" | "title" | "startMembers"> {
  readonly id: string;
  /** The step that contains the root of the run, if it is recorded. */
  readonly partOf: string | undefined;
  readonly at: number;
}

/** Context of a model call, and whether it is reported to be a compacted view of the conversation. */
export interface GivenContext {
  readonly messages: readonly Message[];
  readonly isCompacted: boolean;
  /** True if the messages are only the new ones. */
  readonly isAdded?: boolean;
}

/** Outcome of a run, as far as it is reported. */
export type RunEnd = Pick<
  RunSpanResult,
  "input" | "output" | "waitsFor" | "error" | "isCancelled" | "otherAttributes" | "endMembers"
>;

/** Returns the prompt of an input if it has one: the rest of an agent's input repeats the conversation. */
export function givenIn(input: unknown): unknown {
  return promptIn(input) ?? input;
}
