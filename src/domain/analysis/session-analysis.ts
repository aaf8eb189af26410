import { readMessage } from "../conversation/conversation.js";
import { recordedContext } from "../conversation/recorded-context.js";
import { contextTokens } from "../conversation/token-counts.js";
import { hash53 } from "../fingerprints.js";
import { type JsonObject, objectField } from "../json.js";
import type { PricedCall, TokenRates } from "../money.js";
import { type EventFacts, readEventFacts } from "../spans/event-facts.js";
import { type AgentContexts, agentContexts, type CallContext } from "./agent-contexts.js";
import { type CacheMiss, type CacheMissCause, cacheMisses } from "./cache-misses.js";
import { type ItemisedMessage, itemisedMessage } from "./context-item.js";
import { type EventDetails, eventDetails } from "./event-details.js";
import { readSessionSteps } from "./read-session-steps.js";
import type { ModelCall, SessionSteps } from "./session-steps.js";
import type { CacheMissSummary, SessionSummary } from "./session-summary.js";
import {
  countsOf,
  largestCalls,
  MOST_LISTED,
  type RatesOfCall,
  totalOf,
  totalsByAgent,
  totalsByModel,
  totalsByTurn,
} from "./summarise-calls.js";
import { summariseContexts } from "./summarise-contexts.js";

/**
 * The numbers of one session, of its records as they come: first all envelopes of its trace, then `steps()`, then the messages of its
 * agents, then `summary()`. What is kept of a record are figures, hashes and a line of text.
 */
export class SessionAnalysis {
  readonly #events: EventFacts[] = [];
  readonly #details: EventDetails[] = [];
  readonly #messages = new Map<string, ItemisedMessage[]>();
  /** What model calls were given, by the ids of the events that say it. */
  readonly #given = new Map<string, readonly ItemisedMessage[]>();
  /** Calls are given what others were given before: each message is kept once. */
  readonly #known = new Map<number, ItemisedMessage>();
  #steps: SessionSteps | undefined;

  addEnvelope(envelope: JsonObject): void {
    const event = objectField(envelope, "event");
    const facts = readEventFacts(envelope, this.#events.length, this.#events.at(-1)?.at ?? 0);
    this.#events.push(facts);
    this.#details.push(eventDetails(facts, event));
    const given = facts.kind === "llm" ? recordedContext([event]) : undefined;
    if (given === undefined) return;
    this.#given.set(
      facts.id,
      given.messages.map((message) => this.#givenMessage(message)),
    );
  }

  *steps(): Generator<void, SessionSteps> {
    this.#steps ??= yield* readSessionSteps(this.#events, this.#details);
    return this.#steps;
  }

  addMessage(agentId: string, message: JsonObject): void {
    const messages = this.#messages.get(agentId) ?? [];
    if (messages.length === 0) this.#messages.set(agentId, messages);
    messages.push(itemisedMessage(readMessage(message, messages.length)));
  }

  /** @param rates of each model call, in the order of the steps; `undefined` for one without a price */
  *summary(
    key: { readonly tenantId: string; readonly sessionId: string },
    rates: readonly (TokenRates | undefined)[],
  ): Generator<void, SessionSummary> {
    const steps = yield* this.steps();
    const priced = new Map(steps.calls.map(({ stepId }, i) => [stepId, rates[i]]));
    const ratesOf: RatesOfCall = ({ stepId }) => priced.get(stepId);
    const contexts = yield* this.#contexts(steps);
    const contextsOfCalls = new Map<string, CallContext>();
    for (const agent of contexts) for (const one of agent.contexts) contextsOfCalls.set(one.call.stepId, one);
    const misses = cacheMisses(steps, ({ stepId }) => contextsOfCalls.get(stepId), ratesOf);
    yield;
    const isEmpty = this.#events.length === 0;
    return {
      ...key,
      ...(isEmpty ? {} : { startedAt: instantText(steps.from), endedAt: instantText(steps.to) }),
      counts: countsOf(steps),
      total: totalOf(steps, ratesOf),
      models: totalsByModel(steps, ratesOf),
      agents: totalsByAgent(steps, ratesOf),
      turns: totalsByTurn(steps, ratesOf),
      largestCalls: largestCalls(steps, ratesOf),
      context: yield* summariseContexts(steps, contexts, ratesOf),
      cacheMisses: summaryOfMisses(misses),
    };
  }

  *#contexts(steps: SessionSteps): Generator<void, readonly AgentContexts[]> {
    const callsOf = new Map<string, ModelCall[]>();
    for (const call of steps.calls) {
      const calls = callsOf.get(call.agentId);
      if (calls === undefined) callsOf.set(call.agentId, [call]);
      else calls.push(call);
    }
    const contexts: AgentContexts[] = [];
    for (const [agentId, calls] of callsOf) {
      const recorded = new Map<string, readonly ItemisedMessage[]>();
      for (const { stepId, endId = "" } of calls) {
        const given = this.#given.get(stepId) ?? this.#given.get(endId);
        if (given !== undefined) recorded.set(stepId, given);
      }
      contexts.push(agentContexts(agentId, this.#messages.get(agentId) ?? [], calls, recorded));
      yield;
    }
    return contexts;
  }

  #givenMessage(message: JsonObject): ItemisedMessage {
    const hash = hash53(JSON.stringify(message));
    const itemised = this.#known.get(hash) ?? itemisedMessage(readMessage(message, -1));
    this.#known.set(hash, itemised);
    return itemised;
  }
}

/** What the price of each model call depends on, in their order; `undefined` for one that has no price, or needs none. */
export function pricedCalls({ calls }: SessionSteps): readonly (PricedCall | undefined)[] {
  return calls.map(({ model, provider, at, usage }) =>
    model === undefined || usage === undefined
      ? undefined
      : { model, provider, at, contextTokens: contextTokens(usage) },
  );
}

function summaryOfMisses(misses: readonly CacheMiss[]): CacheMissSummary {
  const causes = new Map<
    CacheMissCause,
    { cause: CacheMissCause; count: number; tokens: number; usd: number }
  >();
  const sum = { tokens: 0, usd: 0, unpricedTokens: 0 };
  for (const { cause, tokens, usd } of misses) {
    const known = causes.get(cause) ?? { cause, count: 0, tokens: 0, usd: 0 };
    causes.set(cause, {
      cause,
      count: known.count + 1,
      tokens: known.tokens + tokens,
      usd: known.usd + (usd ?? 0),
    });
    sum.tokens += tokens;
    sum.usd += usd ?? 0;
    if (usd === undefined) sum.unpricedTokens += tokens;
  }
  return {
    ...sum,
    count: misses.length,
    byCause: [...causes.values()].sort((a, b) => b.tokens - a.tokens),
    calls: misses.toSorted((a, b) => b.tokens - a.tokens).slice(0, MOST_LISTED),
  };
}

function instantText(instant: number): string {
  return new Date(instant).toISOString();
}
