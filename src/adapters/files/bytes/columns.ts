/** A growing column of numbers. Later additions do not change earlier results. */
export class Column<T extends Float64Array | Uint32Array> {
  readonly #make: (length: number) => T;
  #values: T;
  #size = 0;

  constructor(make: (length: number) => T, values: T = make(0)) {
    this.#make = make;
    this.#values = values;
    this.#size = values.length;
  }

  get size(): number {
    return this.#size;
  }

  /** Reserved memory, not only the filled part. */
  get bytes(): number {
    return this.#values.buffer.byteLength;
  }

  push(value: number): void {
    if (this.#size === this.#values.length) this.#grow(this.#size + 1);
    this.#values[this.#size++] = value;
  }

  append(values: T): void {
    if (this.#size + values.length > this.#values.length) this.#grow(this.#size + values.length);
    this.#values.set(values, this.#size);
    this.#size += values.length;
  }

  reserve(size: number): void {
    if (size > this.#values.length) this.#grow(size);
  }

  /** Earlier results retain the dropped numbers. */
  cut(size: number): void {
    if (size === this.#size) return;
    this.#values = this.#values.slice() as T;
    this.#size = size;
  }

  at(index: number): number {
    return this.#values[index]!;
  }

  view(): T {
    return this.#values.subarray(0, this.#size) as T;
  }

  /** Only by a quarter: unused memory is copied, too, when a thread transfers the column. */
  #grow(least: number): void {
    const grown = this.#make(Math.max(least, FIRST, Math.ceil(this.#values.length * 1.25)));
    grown.set(this.#values.subarray(0, this.#size));
    this.#values = grown;
  }
}

const FIRST = 32;

export function doubles(values?: Float64Array): Column<Float64Array> {
  return new Column<Float64Array>((length) => new Float64Array(length), values);
}

/** Range: 0 to 2³² - 1. */
export function integers(values?: Uint32Array): Column<Uint32Array> {
  return new Column<Uint32Array>((length) => new Uint32Array(length), values);
}
