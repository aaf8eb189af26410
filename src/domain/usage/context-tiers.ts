/** The lengths of a context above which some vendor charges more. */
export const CONTEXT_TIERS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const;

/** The class of a context's length: within one, a token of a model has one price. */
export function tierOf(context: number): number {
  let tier = 0;
  while (tier < CONTEXT_TIERS.length && context > CONTEXT_TIERS[tier]!) tier++;
  return tier;
}
