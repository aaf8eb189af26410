const STEPS = [1, 2, 2.5, 5, 10];
const MOST_STEPS = 4;

/**
 * Round values from 0 to one that is not below the highest, at most five.
 *
 * @param least the smallest step: 1 for what is counted
 * @example axisValues(87) // [0, 25, 50, 75, 100]
 */
export function axisValues(highest: number, least = 0): readonly number[] {
  if (!(highest > 0)) return [0];
  const rough = Math.max(highest / MOST_STEPS, least);
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * STEPS.find((one) => one * size >= rough * (1 - 1e-9) && isAllowed(one * size, least))!;
  return Array.from({ length: Math.ceil(highest / step - 1e-9) + 1 }, (_, i) => i * step);
}

function isAllowed(step: number, least: number): boolean {
  return least === 0 || Number.isInteger(step / least);
}
