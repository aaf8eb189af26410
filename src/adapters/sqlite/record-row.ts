import type { DatabasePages } from "./database-pages.js";

export type SqliteValue = string | number | null | Uint8Array;

/** SQLite varint: 1 to 9 bytes, high ones first; all but the ninth hold 7 bits. */
export function varint(bytes: Buffer, at: number): number {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i]!;
    value = value * 128 + (byte & 0x7f);
    if (byte < 0x80) return value;
  }
  let complete = 0n;
  for (let i = 0; i < 8; i++) complete = (complete << 7n) | BigInt(bytes[at + i]! & 0x7f);
  return Number(BigInt.asIntN(64, (complete << 8n) | BigInt(bytes[at + 8] ?? 0)));
}

export function varintSize(bytes: Buffer, at: number): number {
  let size = 1;
  while (size < 9 && bytes[at + size - 1]! >= 0x80) size++;
  return size;
}

/** The first bytes of a row are on a page, the others on a chain of pages. */
export interface RowPlace {
  readonly page: Buffer;
  readonly at: number;
  readonly length: number;
  readonly size: number;
  /** First page of the chain; 0 for none. */
  readonly overflow: number;
}

/** In bytes. A longer row is not read, because memory holds it several times. */
const LONGEST_ROW = 33 * 1024 * 1024;

const INTEGER_BYTES = [0, 1, 2, 3, 4, 6, 8] as const;

/** A row of a table or an index. Values are decoded on demand. */
export class RecordRow {
  readonly rowid: number;
  readonly #pages: DatabasePages;
  readonly #columns: ReadonlyMap<string, number>;
  readonly #overflow: number;
  readonly #size: number;
  #bytes: Buffer;
  #at: number;
  #length: number;
  readonly #types: number[] = [];
  readonly #starts: number[] = [];
  #next = 0;
  #header = 0;

  constructor(pages: DatabasePages, rowid: number, place: RowPlace, columns: ReadonlyMap<string, number>) {
    this.#pages = pages;
    this.rowid = rowid;
    this.#columns = columns;
    this.#overflow = place.overflow;
    this.#size = place.size;
    this.#bytes = place.page;
    this.#at = place.at;
    this.#length = place.length;
  }

  /** `undefined` if the column does not exist, or its bytes are damaged. */
  get(column: string): SqliteValue | undefined {
    const at = this.#columns.get(column);
    return at === undefined ? undefined : this.#valueAt(at);
  }

  /** @param longest in bytes; a longer text is not read. Default is any */
  text(column: string, longest = Number.POSITIVE_INFINITY): string | undefined {
    if (this.size(column) > longest) return undefined;
    const value = this.get(column);
    return typeof value === "string" ? value : undefined;
  }

  number(column: string): number | undefined {
    const value = this.get(column);
    return typeof value === "number" ? value : undefined;
  }

  /** An index stores the table's row number after its columns. */
  tableRow(): number {
    const value = this.#valueAt(this.#columns.size);
    return typeof value === "number" ? value : Number.NaN;
  }

  /** In bytes; 0 for other values than texts and blobs. */
  size(column: string): number {
    const type = this.#typeOf(this.#columns.get(column) ?? Number.NaN) ?? 0;
    return type >= 12 ? (type - 12) >> 1 : 0;
  }

  /** Null and numbers precede all texts; blobs follow them. */
  compareText(column: number, wanted: Buffer): number {
    const type = this.#typeOf(column) ?? 0;
    if (type < 12 || (type & 1) === 0) return type < 12 ? -1 : 1;
    const [start, length] = [this.#starts[column]!, (type - 13) >> 1];
    if (!this.#holds(start, length)) return -1;
    const from = this.#at + start;
    return this.#bytes.compare(wanted, 0, wanted.length, from, from + length);
  }

  #valueAt(at: number): SqliteValue | undefined {
    const type = this.#typeOf(at);
    if (type === undefined || type === 10 || type === 11) return undefined;
    if (type === 0) return null;
    if (type === 8 || type === 9) return type - 8;
    const length = bytesOf(type);
    if (!this.#holds(this.#starts[at]!, length)) return undefined;
    const from = this.#at + this.#starts[at]!;
    if (type >= 12) {
      if ((type & 1) === 1) return this.#textIn(from, from + length);
      return new Uint8Array(this.#bytes.subarray(from, from + length));
    }
    if (type === 7) return this.#bytes.readDoubleBE(from);
    return length === 8 ? Number(this.#bytes.readBigInt64BE(from)) : this.#bytes.readIntBE(from, length);
  }

  #textIn(from: number, to: number): string {
    const { encoding } = this.#pages;
    if (encoding !== "utf16be") return this.#bytes.toString(encoding, from, to);
    return Buffer.from(this.#bytes.subarray(from, to - ((to - from) & 1)))
      .swap16()
      .toString("utf16le");
  }

  #typeOf(column: number): number | undefined {
    if (this.#header === 0) {
      this.#header =
        this.#holds(0, Math.min(9, this.#size)) && this.#size > 0 ? varint(this.#bytes, this.#at) : -1;
      if (this.#header > 0 && !this.#holds(0, this.#header)) this.#header = -1;
      this.#next = varintSize(this.#bytes, this.#at);
    }
    while (this.#types.length <= column && this.#next < this.#header) {
      const last = this.#types.length - 1;
      const start = last < 0 ? this.#header : this.#starts[last]! + bytesOf(this.#types[last]!);
      this.#types.push(varint(this.#bytes, this.#at + this.#next));
      this.#starts.push(start);
      this.#next += varintSize(this.#bytes, this.#at + this.#next);
    }
    return this.#types[column];
  }

  #holds(from: number, length: number): boolean {
    if (from + length <= this.#length) return true;
    if (from + length <= this.#size && this.#length < this.#size) {
      const local = this.#bytes.subarray(this.#at, this.#at + this.#length);
      const complete = completePayload(this.#pages, local, this.#size, this.#overflow);
      if (complete !== undefined) {
        this.#bytes = complete;
        this.#at = 0;
        this.#length = this.#size;
        return true;
      }
    }
    this.#pages.damaged++;
    return false;
  }
}

function bytesOf(type: number): number {
  if (type >= 12) return Math.floor((type - 12) / 2);
  return type === 7 ? 8 : (INTEGER_BYTES[type] ?? 0);
}

function completePayload(
  pages: DatabasePages,
  local: Buffer,
  size: number,
  overflow: number,
): Buffer | undefined {
  if (size > Math.min(pages.bytes, LONGEST_ROW)) return undefined;
  const parts = [local];
  let [left, number] = [size - local.length, overflow];
  while (left > 0) {
    const page = pages.chained(number);
    if (page === undefined) return undefined;
    parts.push(page.subarray(4, 4 + Math.min(left, pages.usable - 4)));
    left -= pages.usable - 4;
    number = page.readUInt32BE(0);
  }
  return Buffer.concat(parts);
}
