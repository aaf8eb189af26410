export interface Step {
  readonly x: number;
  readonly width: number;
  readonly y: number;
}

const NEAR = 0.5;

/**
 * An SVG path, on the ground between steps that do not touch.
 * @param foot position of the ground
 * @example stepPath([{ x: 0, width: 5, y: 2 }, { x: 5, width: 5, y: 4 }], 9) // "M0.0,9V2.0H5.0V4.0H10.0V9Z"
 */
export function stepPath(steps: readonly Step[], foot: number): string {
  let path = "";
  let end = Number.NEGATIVE_INFINITY;
  for (const { x, width, y } of steps) {
    if (x - end > NEAR) path += `${path === "" ? "" : `V${foot}Z`}M${x.toFixed(1)},${foot}`;
    end = x + width;
    path += `V${y.toFixed(1)}H${end.toFixed(1)}`;
  }
  return path === "" ? "" : `${path}V${foot}Z`;
}
