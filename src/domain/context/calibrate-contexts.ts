export interface ContextSize {
  /** All tokens that the call read, by the vendor's count; `undefined` without one. */
  readonly counted: number | undefined;
  readonly estimated: number;
}

/** `system`, `scale` times the estimate, and `unaccounted` add up to the counted tokens. */
export interface ContextShare {
  readonly system: number;
  /** Counted tokens for each estimated token of a message. */
  readonly scale: number;
  /** Counted tokens that no recorded message explains. */
  readonly unaccounted: number;
}

/** For English prose, code and JSON, estimates are within this factor of vendors' counts. */
const MOST_SCALE = 2;
const LEAST_SCALE = 0.5;

/**
 * Scales the estimated sizes of messages, call by call, to the vendor's counts. System prompt and tools are the tokens of the first call
 * beside its messages.
 * @param calls of one agent, in their order
 */
export function calibrateContexts(calls: readonly ContextSize[]): readonly ContextShare[] {
  const usual = usualScale(calls);
  const first = calls.find(({ counted }) => counted !== undefined);
  const base = Math.max(0, (first?.counted ?? 0) - usual * (first?.estimated ?? 0));
  return calls.map(({ counted, estimated }) => {
    if (counted === undefined) return { system: base, scale: usual, unaccounted: 0 };
    const free = Math.max(0, counted - base);
    if (estimated === 0) return { system: Math.min(base, counted), scale: usual, unaccounted: free };
    const scale = Math.min(usual * MOST_SCALE, Math.max(usual * LEAST_SCALE, free / estimated));
    const messages = scale * estimated;
    if (messages >= counted) return { system: 0, scale: counted / estimated, unaccounted: 0 };
    const system = Math.min(base, counted - messages);
    return { system, scale, unaccounted: counted - messages - system };
  });
}

function usualScale(calls: readonly ContextSize[]): number {
  let counted = 0;
  let estimated = 0;
  let before: ContextSize | undefined;
  for (const call of calls) {
    if (call.counted === undefined) continue;
    const more = before === undefined ? 0 : call.estimated - before.estimated;
    const grown = before === undefined ? 0 : call.counted - before.counted!;
    if (more > 0 && grown > 0) {
      counted += grown;
      estimated += more;
    }
    before = call;
  }
  if (estimated === 0) return 1;
  return Math.min(MOST_SCALE, Math.max(LEAST_SCALE, counted / estimated));
}
