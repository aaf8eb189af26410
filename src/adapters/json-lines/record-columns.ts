/** How many entries a block holds. Columns grow by blocks, so that growth copies nothing. */
const BLOCK = 8_192;

/** How many the first block holds to begin with: most files are small, and many are kept. */
const FIRST = 64;

type Block = Float64Array | Uint32Array;

/** A growing column of numbers, in typed blocks: a few bytes an entry, whatever their number. */
export class NumberColumn {
  readonly #newBlock: (length: number) => Block;
  readonly #blocks: Block[] = [];
  #size = 0;

  private constructor(newBlock: (length: number) => Block) {
    this.#newBlock = newBlock;
  }

  /** For numbers of any size, and `NaN`. */
  static ofDoubles(): NumberColumn {
    return new NumberColumn((length) => new Float64Array(length));
  }

  /** For integers from 0 to 2³² - 1. */
  static ofIntegers(): NumberColumn {
    return new NumberColumn((length) => new Uint32Array(length));
  }

  get size(): number {
    return this.#size;
  }

  get bytes(): number {
    return this.#blocks.reduce((sum, block) => sum + block.byteLength, 0);
  }

  push(value: number): void {
    const at = this.#size % BLOCK;
    if (at === 0) this.#blocks.push(this.#newBlock(this.#size === 0 ? FIRST : BLOCK));
    else if (this.#size < BLOCK && at === this.#blocks[0]!.length) this.#growFirst();
    this.#blocks[this.#blocks.length - 1]![at] = value;
    this.#size++;
  }

  /** Only the first block is ever copied, a few times, until it is as long as the others. */
  #growFirst(): void {
    const grown = this.#newBlock(Math.min(BLOCK, this.#blocks[0]!.length * 4));
    grown.set(this.#blocks[0]!);
    this.#blocks[0] = grown;
  }

  at(index: number): number {
    return this.#blocks[Math.floor(index / BLOCK)]![index % BLOCK]!;
  }
}
