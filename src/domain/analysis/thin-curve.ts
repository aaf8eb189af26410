/**
 * At most so many points of a curve: of each stretch of it the lowest and the highest, and the first and the last of all.
 *
 * @param most at least 4
 */
export function thinned<T>(points: readonly T[], heightOf: (point: T) => number, most: number): readonly T[] {
  if (points.length <= most) return points;
  const stretches = Math.floor((most - 2) / 2);
  const kept = new Set([0, points.length - 1]);
  for (let stretch = 0; stretch < stretches; stretch++) {
    const from = Math.floor((stretch * points.length) / stretches);
    const to = Math.floor(((stretch + 1) * points.length) / stretches);
    let [lowest, highest] = [from, from];
    for (let at = from; at < to; at++) {
      if (heightOf(points[at]!) < heightOf(points[lowest]!)) lowest = at;
      if (heightOf(points[at]!) > heightOf(points[highest]!)) highest = at;
    }
    kept.add(lowest).add(highest);
  }
  return [...kept].sort((a, b) => a - b).map((at) => points[at]!);
}
