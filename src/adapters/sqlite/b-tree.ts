import type { DatabasePages } from "./database-pages.js";
import { RecordRow, varint, varintSize } from "./record-row.js";

const INTERIOR_INDEX = 0x02;
const INTERIOR_TABLE = 0x05;
const LEAF_INDEX = 0x0a;
const LEAF_TABLE = 0x0d;

const DEEPEST = 40;

/** Compares a row with the requested rows: negative before them, 0 inside, positive after them. */
export type Where = (row: RecordRow) => number;

export interface Tree {
  readonly pages: DatabasePages;
  readonly root: number;
  readonly isTable: boolean;
  readonly columns: ReadonlyMap<string, number>;
}

export function* rowsIn(tree: Tree, where: Where = () => 0): Generator<RecordRow, void> {
  yield* new TreeReading(tree, where).rowsBelow(tree.root, 0);
}

class TreeReading {
  readonly #tree: Tree;
  readonly #where: Where;
  /** A page has one place in a tree: a second visit means damage. */
  readonly #visited = new Set<number>();

  constructor(tree: Tree, where: Where) {
    this.#tree = tree;
    this.#where = where;
  }

  *rowsBelow(number: number, depth: number): Generator<RecordRow, boolean> {
    const { pages, isTable } = this.#tree;
    const page = depth > DEEPEST || this.#visited.has(number) ? undefined : pages.page(number);
    this.#visited.add(number);
    const start = number === 1 ? 100 : 0;
    const type = page?.[start];
    const isLeaf = type === (isTable ? LEAF_TABLE : LEAF_INDEX);
    if (page === undefined || (!isLeaf && type !== (isTable ? INTERIOR_TABLE : INTERIOR_INDEX))) {
      pages.damaged++;
      return false;
    }
    const cells = start + (isLeaf ? 8 : 12);
    const count = Math.min(page.readUInt16BE(start + 3), (page.length - cells) >> 1);
    for (let i = this.#firstOf(page, cells, count, isLeaf); i < count; i++) {
      pages.visit();
      const at = page.readUInt16BE(cells + i * 2);
      if (!isLeaf && at + 4 <= page.length && (yield* this.rowsBelow(page.readUInt32BE(at), depth + 1)))
        return true;
      const row = this.#rowAt(page, at, isLeaf);
      if (row === undefined) continue;
      const place = this.#where(row);
      if (place > 0) return true;
      if (place === 0 && (isLeaf || !isTable)) yield row;
    }
    return isLeaf ? false : yield* this.rowsBelow(page.readUInt32BE(start + 8), depth + 1);
  }

  #firstOf(page: Buffer, cells: number, count: number, isLeaf: boolean): number {
    let [from, to] = [0, count];
    while (from < to) {
      const middle = (from + to) >> 1;
      const row = this.#rowAt(page, page.readUInt16BE(cells + middle * 2), isLeaf);
      if (row !== undefined && this.#where(row) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  /** `undefined` for an invalid cell. Above the leaves of a table, a cell has only the row's number. */
  #rowAt(page: Buffer, cell: number, isLeaf: boolean): RecordRow | undefined {
    const { pages, isTable, columns } = this.#tree;
    let at = isLeaf ? cell : cell + 4;
    if (isTable && !isLeaf)
      return new RecordRow(pages, varint(page, at), { page, at, length: 0, size: 0, overflow: 0 }, columns);
    const size = varint(page, at);
    at += varintSize(page, at);
    const rowid = isTable ? varint(page, at) : Number.NaN;
    if (isTable) at += varintSize(page, at);
    const length = localSize(size, pages.usable, isTable);
    const isComplete = length === size;
    if (!(size >= 0 && at + length + (isComplete ? 0 : 4) <= page.length)) {
      pages.damaged++;
      return undefined;
    }
    const overflow = isComplete ? 0 : page.readUInt32BE(at + length);
    return new RecordRow(pages, rowid, { page, at, length, size, overflow }, columns);
  }
}

function localSize(size: number, usable: number, isTable: boolean): number {
  const most = isTable ? usable - 35 : Math.floor(((usable - 12) * 64) / 255) - 23;
  if (size <= most) return size;
  const least = Math.floor(((usable - 12) * 32) / 255) - 23;
  const length = least + ((size - least) % (usable - 4));
  return length <= most ? length : least;
}
