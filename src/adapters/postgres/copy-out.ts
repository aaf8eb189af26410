import type { PostgresConnection } from "./driver.js";

/**
 * One row of a `SELECT`, as bytes. The driver makes a string of every value of a row; strings as long as a batch fill the young
 * part of the heap until it has grown to its largest. What comes by `COPY` it leaves alone. This is what `pg` calls a
 * submittable: the driver calls its methods.
 */
export class CopyOut {
  readonly text: string;
  /** The columns of the row; a NULL is `undefined`. */
  readonly row: Promise<readonly (Buffer | undefined)[]>;
  #bytes: Buffer;
  #length = 0;
  #resolve: (row: readonly (Buffer | undefined)[]) => void = () => {};
  #reject: (error: unknown) => void = () => {};

  /**
   * @param select a statement without parameters, which `COPY` cannot have
   * @param size about how many bytes will come
   */
  constructor(select: string, size: number) {
    this.text = `COPY (${select}) TO STDOUT (FORMAT binary)`;
    this.#bytes = Buffer.allocUnsafe(size);
    this.row = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  submit(connection: PostgresConnection): void {
    connection.query(this.text);
  }

  /** The chunk lies in a buffer that the driver uses again. */
  handleCopyData({ chunk }: { readonly chunk: Buffer }): void {
    const length = this.#length + chunk.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(length * 2);
      this.#bytes.copy(larger, 0, 0, this.#length);
      this.#bytes = larger;
    }
    chunk.copy(this.#bytes, this.#length);
    this.#length = length;
  }

  handleCommandComplete(): void {}

  handleReadyForQuery(): void {
    this.#resolve(columnsOf(this.#bytes.subarray(0, this.#length)));
  }

  handleError(error: unknown): void {
    this.#reject(error);
  }
}

/** The signature, the flags, and the length of an extension that there is none of. */
const HEADER_BYTES = 19;

/** The first row of the binary form of `COPY`, as the manual describes it under "File Formats". */
function columnsOf(bytes: Buffer): (Buffer | undefined)[] {
  let at = HEADER_BYTES;
  const count = bytes.readInt16BE(at);
  at += 2;
  const columns: (Buffer | undefined)[] = [];
  for (let i = 0; i < count; i++) {
    const length = bytes.readInt32BE(at);
    at += 4;
    columns.push(length === -1 ? undefined : bytes.subarray(at, at + Math.max(0, length)));
    at += Math.max(0, length);
  }
  return columns;
}

/** A text as it is written in a statement, whatever the session's settings say of backslashes. */
export function literal(text: string): string {
  return ` E'${text.replaceAll("\\", "\\\\").replaceAll("'", "''")}'`;
}
