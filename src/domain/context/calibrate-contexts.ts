/** Sizes of one call's context. */
export interface ContextSize {
  /** Tokens that the vendor counted: all that the call read; `undefined` where it counted none. */
  readonly counted: number | undefined;
  /** Estimated tokens of its messages. */
  readonly estimated: number;
}

/** Distribution of a call's tokens. `system`, `scale` times the estimate, and `unaccounted` add up to the counted tokens. */
export interface ContextShare {
  /** Of the system prompt and the tools. */
  readonly system: number;
  /** Counted tokens for each estimated token of a message. */
  readonly scale: number;
  /** Counted tokens that no recorded message explains. */
  readonly unaccounted: number;
}

/** The estimates of English prose, code and JSON are within this factor of what vendors count; what is beyond it is something else. */
const MOST_SCALE = 2;
const LEAST_SCALE = 0.5;

/**
 * Scales the estimated sizes of messages, call by call, to what the vendor counted. The system prompt and the tools are in no message:
 * they are what the first call read beside its messages.
 *
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

/** Counted tokens for each estimated token, where a context grew from one call to the next. */
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
