export class RecentValues<T> {
  readonly #values = new Map<string, T>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(key: string): boolean {
    return this.#values.has(key);
  }

  get(key: string, make: () => T): T {
    const value = this.#values.has(key) ? this.#values.get(key)! : make();
    this.#values.delete(key);
    this.#values.set(key, value);
    const [oldest] = this.#values.keys();
    if (this.#values.size > this.#most) this.#values.delete(oldest!);
    return value;
  }
}
