/** Whether each position follows the one before it. */
export function isRun(positions: Uint32Array): boolean {
  return positions.every((position, i) => position === positions[0]! + i);
}

export function isAscending(positions: Uint32Array): boolean {
  return positions.every((position, i) => i === 0 || position > positions[i - 1]!);
}

/** The places in `positions`, by position. */
export function ascendingOrder(positions: Uint32Array): Uint32Array {
  const order = Uint32Array.from(positions.keys());
  return isAscending(positions) ? order : order.sort((a, b) => positions[a]! - positions[b]!);
}
