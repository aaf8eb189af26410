/** Records are JSON texts, exactly as a writer stored them. */
export interface ContractSession {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly userId: string;
  readonly title?: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly turns?: readonly ContractTurn[];
  readonly envelopes?: readonly string[];
  readonly orchestrationEvents?: readonly string[];
  readonly messages?: readonly string[];
}

export interface ContractTurn {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cacheReadTokens: number;
  readonly cacheWriteTokens: number;
  /** Milliseconds since the epoch. */
  readonly updatedAt: number;
}

export const NOON = Date.UTC(2026, 0, 15, 12);

export interface EnvelopeOptions {
  readonly traceId?: string;
  readonly tenantId?: string;
  readonly sessionId?: string;
  /** Seconds after noon. */
  readonly second?: number;
}

export function envelopeText(sequence: number, event: object, options: EnvelopeOptions = {}): string {
  const { traceId = "t1", tenantId = "acme", sessionId = "s1", second = sequence } = options;
  return JSON.stringify({
    id: `${traceId}-${sequence}`,
    timestamp: new Date(NOON + second * 1_000).toISOString(),
    sequence,
    source: "runtime",
    sessionId,
    tenantId,
    traceId,
    event,
  });
}
