/** A growing column of numbers. Later additions do not change a part that was handed out. */
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

  /** The memory that it holds on to, in bytes. */
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

  /** Reserves room for this many numbers, so that the column need not grow. */
  reserve(size: number): void {
    if (size > this.#values.length) this.#grow(size);
  }

  /** Drops the numbers after `size`; parts that were handed out retain them. */
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

  /** By a quarter: the memory that is not used yet is moved with the rest when a thread gives the column away. */
  #grow(least: number): void {
    const grown = this.#make(Math.max(least, FIRST, Math.ceil(this.#values.length * 1.25)));
    grown.set(this.#values.subarray(0, this.#size));
    this.#values = grown;
  }
}

const FIRST = 32;

/** For numbers of any size, and `NaN`. */
export function doubles(values?: Float64Array): Column<Float64Array> {
  return new Column<Float64Array>((length) => new Float64Array(length), values);
}

/** For integers from 0 to 2³² - 1. */
export function integers(values?: Uint32Array): Column<Uint32Array> {
  return new Column<Uint32Array>((length) => new Uint32Array(length), values);
}
