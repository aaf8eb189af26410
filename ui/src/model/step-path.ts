interface Point {
  readonly x: number;
  readonly y: number;
}

/**
 * An area in steps, as an SVG path: each point holds until the next one, the last one to the end.
 *
 * @param foot where the ground is
 * @example stepPath([{ x: 0, y: 2 }, { x: 5, y: 4 }], 10, 9) // "M0.0,9V2.0H5.0V4.0H10.0V9Z"
 */
export function stepPath(points: readonly Point[], end: number, foot: number): string {
  const [first] = points;
  if (first === undefined) return "";
  const steps = points.map(({ y }, i) => `V${y.toFixed(1)}H${(points[i + 1]?.x ?? end).toFixed(1)}`);
  return `M${first.x.toFixed(1)},${foot}${steps.join("")}V${foot}Z`;
}
