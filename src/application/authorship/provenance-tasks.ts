import {
  ContextHistory,
  type ContextMessageName,
  type MessageProvenance,
} from "../../domain/conversation/context-history.js";
import type { ConversationOutline } from "../../domain/conversation/conversation-outline.js";
import { ownModule } from "../ports/reading-pool.js";
import { type EventBatch, type FactsBatch, readSteps, recordsIn } from "../records/context-facts.js";
import { withState } from "../threads/thread-session.js";

function stepsOf<Input, Output>(steps: (history: ContextHistory, input: Input) => Generator<void, Output>) {
  return withState(() => new ContextHistory(), steps);
}

export const addEnvelopes = stepsOf((history, batch: EventBatch) =>
  readSteps(batch, (facts, envelope) => history.addEnvelope(envelope, facts)),
);

// biome-ignore lint/correctness/useYield: a task is a generator
export const findAgent = stepsOf(function* (
  history,
  { call, agents }: { readonly call: string; readonly agents: readonly string[] },
): Generator<void, string | undefined> {
  return history.find(call, agents);
});

export const addMessages = stepsOf(function* (history, batch: FactsBatch): Generator<void, void> {
  for (const [, record] of recordsIn(batch)) {
    history.addMessage(record);
    yield;
  }
});

// biome-ignore lint/correctness/useYield: a task is a generator
export const addOutline = stepsOf(function* (history, outline: ConversationOutline): Generator<void, void> {
  history.outlineConversation(outline);
});

// biome-ignore lint/correctness/useYield: a task is a generator
export const findProvenance = stepsOf(function* (
  history,
  message: ContextMessageName,
): Generator<void, MessageProvenance | undefined> {
  return history.provenance(message);
});

function taskOf<Input, Output>(name: string, steps: (input: Input) => Generator<unknown, Output>) {
  return { module: ownModule(import.meta.url, "provenance-tasks"), name, steps };
}

export const ADD_ENVELOPES = taskOf("addEnvelopes", addEnvelopes);
export const FIND_AGENT = taskOf("findAgent", findAgent);
export const ADD_MESSAGES = taskOf("addMessages", addMessages);
export const ADD_OUTLINE = taskOf("addOutline", addOutline);
export const FIND_PROVENANCE = taskOf("findProvenance", findProvenance);
