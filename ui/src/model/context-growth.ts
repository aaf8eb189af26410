import { type Span, spanUsage, walkSpans } from "./span.js";
import { contextTokens, estimateTokens } from "./token-counts.js";

/** The size of the context at one model call. */
export interface ContextPoint {
  readonly spanId: string;
  readonly at: number;
  readonly tokens: number;
  readonly agentId: string;
}

/**
 * Fills in what each step added to the context of its agent. For a model call it is counted: what it read, less what the
 * call before it read. For a tool it is estimated from the length of its output. For a turn it is counted again.
 *
 * @returns the size of the context at each model call, in the order of time
 */
export function addContextGrowth(roots: readonly Span[]): ContextPoint[] {
  const before = new Map<string, number>();
  const points: ContextPoint[] = [];
  walkSpans(roots, (span) => {
    if (span.kind === "tool" && span.end !== undefined && span.end.outputSize > 0) {
      span.addedTokens = estimateTokens(span.end.outputSize);
    }
    const usage = span.kind === "llm" ? spanUsage(span) : undefined;
    const tokens = usage === undefined ? 0 : contextTokens(usage);
    // A synthetic answer (a refused or failed call) reads nothing; it says nothing of the context.
    if (tokens === 0) return;
    span.contextTokens = tokens;
    span.addedTokens = tokens - (before.get(span.agentId) ?? 0);
    before.set(span.agentId, tokens);
    points.push({ spanId: span.id, at: span.start.at, tokens, agentId: span.agentId });
    const turn = turnOf(span);
    if (turn === undefined) return;
    turn.addedTokens = (turn.addedTokens ?? 0) + span.addedTokens;
    turn.contextTokens = tokens;
  });
  return points.sort((a, b) => a.at - b.at);
}

function turnOf(span: Span): Span | undefined {
  for (let at = span.parent; at !== undefined && at.agentId === span.agentId; at = at.parent) {
    if (at.kind === "turn") return at;
  }
  return undefined;
}
