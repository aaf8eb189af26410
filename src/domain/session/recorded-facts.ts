import { classifyEvent, readBookkeeping } from "../dialects/event-kinds.js";
import { isJsonObject, type JsonObject, textField } from "../json/json.js";
import { excerptOf } from "../text/excerpt.js";
import { addUsage, NO_USAGE, type TokenUsage } from "../usage/token-usage.js";
import { FailureCount } from "./failure-count.js";
import type { ModelUsage } from "./model-usage.js";
import { UsedCalls } from "./used-calls.js";

/** Stored in the session's own log, so that a list need not read the events. */
export interface RecordedFacts {
  /** Turns of the main agent that began since the last record. */
  readonly turns?: number;
  /** False for a recorded turn that no person requested. */
  readonly asked?: false;
  /** Failed calls since the last record. */
  readonly errors?: number;
  /** Newest model of the main agent. */
  readonly model?: string;
  readonly prompt?: string;
  /** Only of the main agent. */
  readonly lastAnswer?: string;
  /** All agents, since the last record. */
  readonly usageByModel?: readonly ModelUsage[];
}

/** The application's values may be anything. */
const MOST_TEXT = 4_096;
const MOST_PARTS = 32;
const DEEPEST = 4;

export class FactsOfEvents {
  readonly #failures = new FailureCount();
  readonly #calls = new UsedCalls();
  #facts: RecordedFacts = {};
  #model: string | undefined;
  #isPrompt = false;
  #isDue = false;
  #isUnasked = false;
  #isTurnOpen = false;
  #usedInTurn = NO_USAGE;

  /** @param at milliseconds since the epoch */
  followEnvelope(event: JsonObject, traceId: string, at: number): void {
    const { kind, phase } = classifyEvent(textField(event, "type") ?? "");
    this.#add(this.#failures.follow(event, traceId));
    if (kind === "llm") {
      const used = this.#calls.follow(event, phase, traceId, at);
      if (used !== undefined) this.#usedInTurn = addUsage(this.#usedInTurn, used.usage);
    }
    if (phase === "end" && (kind === "turn" || kind === "run" || kind === "session")) this.#isDue = true;
    if (this.#failures.agentOf(event, traceId) !== "") return;
    const isTurn = kind === "turn" && phase === "start" && readBookkeeping(event) === undefined;
    const isPrompt = isTurn && event.asked !== false;
    if (isTurn) this.#isUnasked = !isPrompt;
    // A turn without an end ends with the next one.
    if (isTurn && this.#isTurnOpen) this.#isDue = true;
    if (kind === "turn") this.#isTurnOpen = phase === "start";
    if (isPrompt) this.#addTurns(1);
    const role = textField(event, "role") ?? "assistant";
    if (kind === "llm") this.#takeModel(textField(event, "model") ?? textField(event, "modelId"));
    else if (isPrompt) this.#takePrompt(event.input ?? event.prompt);
    else if (event.type === "text" && (role === "assistant" || role === "model"))
      this.#takeAnswer(event.text);
  }

  followOrchestration(event: JsonObject): void {
    this.#add(this.#failures.followOrchestration(event));
  }

  /** A model call's use is due at its end, the rest after a failure and at the end of a turn. */
  takeDue(): RecordedFacts | undefined {
    const isDue = this.#isDue && Object.keys(this.#facts).length > 0;
    const due = { ...(isDue ? this.#take() : {}), ...this.#takeUsed() };
    return Object.keys(due).length === 0 ? undefined : due;
  }

  takeForTurn(): RecordedFacts {
    const origin = this.#isUnasked ? { asked: false as const } : {};
    this.#isUnasked = false;
    return { ...this.#take(), ...this.#takeUsed(), ...origin };
  }

  /** Covers all agents' model calls that ended since the last time. */
  takeUsageOfTurn(): TokenUsage {
    const used = this.#usedInTurn;
    this.#usedInTurn = NO_USAGE;
    return used;
  }

  #takeUsed(): Pick<RecordedFacts, "usageByModel"> {
    const usageByModel = this.#calls.take();
    return usageByModel.length === 0 ? {} : { usageByModel };
  }

  #take(): RecordedFacts {
    const facts = this.#facts;
    this.#facts = {};
    this.#isDue = false;
    return facts;
  }

  /** Restores facts after a failed write: the next write includes them. */
  giveBack(facts: RecordedFacts): void {
    const { errors, turns = 0, usageByModel = [], asked: _, ...others } = facts;
    this.#facts = { ...others, ...this.#facts };
    this.#addTurns(turns);
    this.#calls.add(usageByModel);
    this.#add(errors ?? 0);
  }

  #add(errors: number): void {
    if (errors === 0) return;
    this.#facts = { ...this.#facts, errors: (this.#facts.errors ?? 0) + errors };
    this.#isDue = true;
  }

  /** A start alone is not due. */
  #addTurns(turns: number): void {
    if (turns > 0) this.#facts = { ...this.#facts, turns: (this.#facts.turns ?? 0) + turns };
  }

  #takeModel(name: string | undefined): void {
    const model = excerptOf(name ?? "");
    if (model === undefined || model === this.#model) return;
    this.#model = model;
    this.#facts = { ...this.#facts, model };
  }

  #takePrompt(content: unknown): void {
    const prompt = this.#isPrompt ? undefined : excerptOf(textIn(content));
    if (prompt === undefined) return;
    this.#isPrompt = true;
    this.#facts = { ...this.#facts, prompt };
  }

  #takeAnswer(content: unknown): void {
    const lastAnswer = excerptOf(textIn(content));
    if (lastAnswer !== undefined) this.#facts = { ...this.#facts, lastAnswer };
  }
}

function textIn(content: unknown, depth = 0): string {
  if (typeof content === "string") return content.trimStart().slice(0, MOST_TEXT);
  if (Array.isArray(content) && depth < DEEPEST) {
    const parts = content.slice(0, MOST_PARTS).map((part) => textIn(part, depth + 1));
    return parts.filter((part) => part !== "").join(" ");
  }
  return isJsonObject(content) && depth < DEEPEST ? textIn(content.text ?? content.content, depth + 1) : "";
}

export function factsIn(
  record: JsonObject,
): Omit<RecordedFacts, "turns" | "asked" | "errors" | "usageByModel"> {
  const excerpt = (name: string) => excerptOf(textField(record, name) ?? "");
  const [model, prompt, lastAnswer] = [excerpt("model"), excerpt("prompt"), excerpt("lastAnswer")];
  return {
    ...(model === undefined ? {} : { model }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(lastAnswer === undefined ? {} : { lastAnswer }),
  };
}
