/** Takes constant time, also for many equal names. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #tried = new Map<string, number>();

  has(name: string): boolean {
    return this.#taken.has(name);
  }

  /**
   * Takes a name, or its first free alternative.
   * @param alternative by its number, from 1
   * @example names.take("a", (n) => `a ${n + 1}`); // "a", then "a 2"
   */
  take(name: string, alternative: (n: number) => string): string {
    let free = name;
    let n = this.#tried.get(name) ?? 0;
    while (this.#taken.has(free)) free = alternative(++n);
    if (n > 0) this.#tried.set(name, n);
    this.#taken.add(free);
    return free;
  }
}

export function withSign(name: string, sign: string): (n: number) => string {
  return (n) => name + (n <= MOST_SIGNS ? sign.repeat(n) : sign + n);
}

const MOST_SIGNS = 8;
