import { createHash } from "node:crypto";
import type { ReadOptions, RecordStream } from "../../application/ports/record-stream.js";
import { recordOfBytes, type StoredRecord, uuidOf } from "./stored-records.js";

/** Bounds the fingerprints in memory. They save reading old records of streams that grow. */
const MOST_REMEMBERED = 200_000;

/** Keys identify a source's records in the database. Two equal texts have different keys. */
export class RecordKeys {
  readonly #digests = new Map<string, Map<number, string>>();
  #remembered = 0;

  /**
   * Returns the key of each record of a stream, in order. Fingerprints, which are valid in one process only, save reading old records.
   * @param name the stream, the same at each import
   * @param of the scope of the keys: equal records of two conversations have two keys
   */
  async ofStream(name: string, of: string, stream: RecordStream, options: ReadOptions): Promise<string[]> {
    const existing = this.#digestsOf(name);
    const digests: (string | undefined)[] = Array.from({ length: stream.size }, (_, at) => {
      const fingerprint = stream.fingerprintAt?.(at);
      return fingerprint === undefined ? undefined : existing.get(fingerprint);
    });
    const unknown = Uint32Array.from(digests.keys()).filter((at) => digests[at] === undefined);
    await forEachRecord(stream, unknown, options, (bytes, at) => {
      digests[at] = digestOf(bytes);
      this.#remember(existing, stream.fingerprintAt?.(at), digests[at]!);
    });
    const counts = new Map<string, number>();
    return digests.map((digest) => keyOf(of, digest!, counts));
  }

  reader(name: string, of: string, stream: RecordStream): (bytes: Uint8Array, at: number) => StoredRecord {
    const existing = this.#digestsOf(name);
    const counts = new Map<string, number>();
    return (bytes, at) => {
      const digest = digestOf(bytes);
      this.#remember(existing, stream.fingerprintAt?.(at), digest);
      return recordOfBytes(bytes, keyOf(of, digest, counts));
    };
  }

  #digestsOf(name: string): Map<number, string> {
    const existing = this.#digests.get(name) ?? new Map<number, string>();
    this.#digests.delete(name);
    this.#digests.set(name, existing);
    for (const [oldest, digests] of this.#digests) {
      if (this.#remembered <= MOST_REMEMBERED || oldest === name) break;
      this.#digests.delete(oldest);
      this.#remembered -= digests.size;
    }
    return existing;
  }

  #remember(existing: Map<number, string>, fingerprint: number | undefined, digest: string): void {
    if (fingerprint === undefined || existing.has(fingerprint) || existing.size >= MOST_REMEMBERED) return;
    existing.set(fingerprint, digest);
    this.#remembered++;
  }
}

/** @param positions in ascending order */
export async function forEachRecord(
  stream: RecordStream,
  positions: Uint32Array,
  options: ReadOptions,
  use: (bytes: Uint8Array, position: number) => void | Promise<void>,
): Promise<void> {
  if (positions.length === 0) return;
  let next = 0;
  for await (const batch of stream.read({ positions, from: 0, to: positions.length }, options)) {
    for (let i = 0; i < batch.size; i++) {
      await use(batch.text.subarray(batch.start(i), batch.end(i)), positions[next++]!);
    }
  }
}

function digestOf(bytes: Uint8Array): string {
  return createHash("sha256").update(bytes).digest("base64").slice(0, 32);
}

function keyOf(of: string, digest: string, counts: Map<string, number>): string {
  const count = counts.get(digest) ?? 0;
  counts.set(digest, count + 1);
  return uuidOf(`${of} ${digest} ${count}`);
}
