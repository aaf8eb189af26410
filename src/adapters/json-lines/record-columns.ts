/** How many entries a block holds. Columns grow by blocks, so that growth copies nothing. */
const BLOCK = 8_192;

type Block = Float64Array | Uint32Array;

/** A growing column of numbers, in typed blocks: a few bytes an entry, whatever their number. */
export class NumberColumn {
  readonly #newBlock: () => Block;
  readonly #blocks: Block[] = [];
  #size = 0;

  private constructor(newBlock: () => Block) {
    this.#newBlock = newBlock;
  }

  /** For numbers of any size, and `NaN`. */
  static ofDoubles(): NumberColumn {
    return new NumberColumn(() => new Float64Array(BLOCK));
  }

  /** For integers from 0 to 2³² - 1. */
  static ofIntegers(): NumberColumn {
    return new NumberColumn(() => new Uint32Array(BLOCK));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#blocks.length * (this.#blocks[0]?.byteLength ?? 0);
  }

  push(value: number): void {
    const at = this.#size % BLOCK;
    if (at === 0) this.#blocks.push(this.#newBlock());
    this.#blocks[this.#blocks.length - 1]![at] = value;
    this.#size++;
  }

  at(index: number): number {
    return this.#blocks[Math.floor(index / BLOCK)]![index % BLOCK]!;
  }
}
