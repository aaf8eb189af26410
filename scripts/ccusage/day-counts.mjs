/** Tokens by day (UTC) and model: `{ "2026-11-01 claude-opus-4-6": { input, output, cacheRead, cacheWrite } }`. */
export const CLASSES = ["input", "output", "cacheRead", "cacheWrite"];

export class DayCounts {
  /** @type {Map<string, Record<string, number>>} */
  rows = new Map();

  add(at, model, tokens) {
    this.addDay(new Date(at).toISOString().slice(0, 10), model, tokens);
  }

  addDay(day, model, tokens) {
    if (CLASSES.every((name) => !tokens[name])) return;
    const key = `${day} ${model}`;
    const sum = this.rows.get(key) ?? Object.fromEntries(CLASSES.map((name) => [name, 0]));
    for (const name of CLASSES) sum[name] += tokens[name] ?? 0;
    this.rows.set(key, sum);
  }

  get(key) {
    return this.rows.get(key) ?? Object.fromEntries(CLASSES.map((name) => [name, 0]));
  }

  /** Difference that turns the other count into this one; `undefined` where they are equal. */
  differenceFrom(other, key) {
    const [mine, theirs] = [this.get(key), other.get(key)];
    const rest = CLASSES.map((name) => [name, mine[name] - theirs[name]]).filter(([, n]) => n !== 0);
    return rest.length === 0 ? undefined : Object.fromEntries(rest);
  }
}
