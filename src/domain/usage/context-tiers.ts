/** Context lengths above which a vendor charges more. */
export const CONTEXT_TIERS = [128_000, 199_999, 200_000, 271_999, 272_000, 512_000] as const;

/** A token of a model has one price within a class. */
export function tierOf(context: number): number {
  let tier = 0;
  while (tier < CONTEXT_TIERS.length && context > CONTEXT_TIERS[tier]!) tier++;
  return tier;
}
