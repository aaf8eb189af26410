import {
  ContextHistory,
  type MessageProvenance,
  type SeenMessageName,
} from "../../domain/conversation/context-history.js";
import { SourceUnavailableError } from "../errors.js";
import { callFacts, type FactsBatch, recordsIn } from "./context-facts.js";

/** The steps of one reading that goes on in one thread, task after task. It is known by an id, and is gone with `drop`. */

export interface HistoryBatch extends FactsBatch {
  readonly id: string;
}

export interface HistoryEnvelopes extends HistoryBatch {
  /** The instant of the envelope before, for one that has none. */
  readonly previousAt: number;
  /** An envelope that is wanted whatever it is. */
  readonly call: string;
}

const histories = new Map<string, ContextHistory>();

function taskOf<Input, Output>(name: string, steps: (input: Input) => Generator<void, Output>) {
  return { module: import.meta.url, name, steps };
}

export const BEGIN_HISTORY = taskOf("beginHistory", beginHistory);
export const ADD_ENVELOPES = taskOf("addEnvelopes", addEnvelopes);
export const FIND_AGENT = taskOf("findAgent", findAgent);
export const ADD_MESSAGES = taskOf("addMessages", addMessages);
export const FIND_PROVENANCE = taskOf("findProvenance", findProvenance);
export const DROP_HISTORY = taskOf("dropHistory", dropHistory);

// biome-ignore lint/correctness/useYield: a task is a generator
export function* beginHistory(id: string): Generator<void, void> {
  histories.set(id, new ContextHistory());
}

/** @returns the instant of the last one, and the agents that it names */
export function* addEnvelopes(
  batch: HistoryEnvelopes,
): Generator<void, { readonly lastAt: number; readonly agents: readonly string[] }> {
  const history = historyOf(batch.id);
  const agents: string[] = [];
  let lastAt = batch.previousAt;
  for (const [i, record] of recordsIn(batch)) {
    const { facts, isWanted, at } = callFacts(record, batch.at + i, lastAt, batch.call);
    lastAt = at;
    if (isWanted) history.addEnvelope(record, facts);
    if (isWanted && facts.kind === "agent") agents.push(facts.agentId ?? "");
    yield;
  }
  return { lastAt, agents };
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* findAgent(input: {
  readonly id: string;
  readonly call: string;
  readonly agents: readonly string[];
}): Generator<void, string | undefined> {
  return historyOf(input.id).find(input.call, input.agents);
}

export function* addMessages(batch: HistoryBatch): Generator<void, void> {
  const history = historyOf(batch.id);
  for (const [, record] of recordsIn(batch)) {
    history.addMessage(record);
    yield;
  }
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* findProvenance(input: {
  readonly id: string;
  readonly message: SeenMessageName;
}): Generator<void, MessageProvenance | undefined> {
  return historyOf(input.id).provenance(input.message);
}

// biome-ignore lint/correctness/useYield: a task is a generator
export function* dropHistory(id: string): Generator<void, void> {
  histories.delete(id);
}

function historyOf(id: string): ContextHistory {
  const history = histories.get(id);
  // The thread ended meanwhile, and another one took its place.
  if (history === undefined)
    throw new SourceUnavailableError("The session could not be read to its end. Try again.");
  return history;
}
