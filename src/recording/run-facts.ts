import type { Message } from "../domain/conversation/message.js";
import { promptIn } from "./message-texts.js";
import type { RunSpanFacts, RunSpanResult } from "./run-span.js";

export interface RunStart extends Pick<RunSpanFacts, "name" | "input" | "title" | "startMembers"> {
  readonly id: string;
  readonly partOf: string | undefined;
  readonly at: number;
}

export interface InputContext {
  readonly messages: readonly Message[];
  readonly isCompacted: boolean;
  readonly isAdded?: boolean;
}

export type RunEnd = Pick<
  RunSpanResult,
  "input" | "output" | "waitsFor" | "error" | "isCancelled" | "otherAttributes" | "endMembers"
>;

export function inputIn(input: unknown): unknown {
  return promptIn(input) ?? input;
}
