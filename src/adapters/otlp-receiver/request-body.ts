import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import { createGunzip, createInflate } from "node:zlib";
import { RefusedRequest } from "./refused-request.js";

export interface BodyLimits {
  /** Maximum size of a request as it is sent, in bytes. Larger requests are 413. Default is 16 MiB. */
  readonly maxRequestBytes: number;
  /** Maximum size of a request after it is unpacked, in bytes. Default is 16 MiB. */
  readonly maxUnpackedBytes: number;
}

const UNPACKERS = { gzip: createGunzip, deflate: createInflate };
type Packing = keyof typeof UNPACKERS;

export const ACCEPTED_ENCODINGS = Object.keys(UNPACKERS).join(", ");

const CHUNK = 64 * 1024;

/** A body up to this length is read in one piece, which costs less; its memory is reserved at the beginning. */
const ONE_PIECE = 1024 * 1024;

/**
 * Reads the body of a request, and unpacks it as it arrives, within its limits.
 * @param allotment grows with the bytes in memory
 * @throws RefusedRequest for a body that is too large, has an unsupported encoding, cannot be unpacked or broke off
 */
export async function readBody(
  request: Request,
  { maxRequestBytes, maxUnpackedBytes }: BodyLimits,
  allotment: Allotment,
): Promise<Buffer> {
  const packing = packingOf(request.headers.get("Content-Encoding"));
  const length = request.headers.get("Content-Length");
  if (Number(length) > maxRequestBytes) throw tooLarge(maxRequestBytes, "sent");
  const isOnePiece = length !== null && Number(length) <= Math.min(ONE_PIECE, maxUnpackedBytes);
  const reserved = isOnePiece ? Number(length) : 0;
  allotment.set(reserved);
  const chunks: Uint8Array[] = [];
  let unpacked = 0;
  let failure: unknown;
  const collect = async (source: AsyncIterable<Uint8Array>) => {
    try {
      for await (const chunk of boundedBy(maxUnpackedBytes, "unpacked")(source)) {
        unpacked += chunk.length;
        allotment.set(Math.max(reserved, unpacked));
        chunks.push(chunk);
      }
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  try {
    // The server enforces the `Content-Length`; one piece costs less.
    const sent = isOnePiece ? [new Uint8Array(await request.arrayBuffer())] : chunksOf(request);
    const bounded = Readable.from(boundedBy(maxRequestBytes, "sent")(sent));
    if (packing === undefined) await pipeline(bounded, collect);
    else await pipeline(bounded, UNPACKERS[packing]({ chunkSize: CHUNK }), collect);
  } catch (error) {
    for (const cause of [error, failure]) if (cause instanceof RefusedRequest) throw cause;
    const isPacked = (error as NodeJS.ErrnoException).code?.startsWith("Z_") === true;
    const problem = isPacked ? `cannot be unpacked: it is no complete ${packing} stream` : "broke off";
    throw new RefusedRequest(400, `The body ${problem}.`, { cause: error });
  }
  const [first] = chunks;
  return chunks.length === 1 && first !== undefined
    ? Buffer.from(first.buffer, first.byteOffset, first.length)
    : Buffer.concat(chunks);
}

function chunksOf({ body }: Request): AsyncIterable<Uint8Array> {
  return body === null ? Readable.from([]) : Readable.fromWeb(body as ReadableStream<Uint8Array>);
}

function packingOf(header: string | null): Packing | undefined {
  const name = (header ?? "identity").trim().toLowerCase();
  if (name === "identity" || name === "") return undefined;
  const packing = (Object.keys(UNPACKERS) as Packing[]).find((packing) => packing === name);
  if (packing === undefined) {
    throw new RefusedRequest(415, `A body is packed with ${ACCEPTED_ENCODINGS}, or not at all.`);
  }
  return packing;
}

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

function boundedBy(maxBytes: number, how: "sent" | "unpacked") {
  return async function* (source: Chunks): AsyncGenerator<Uint8Array> {
    let bytes = 0;
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes, how);
      yield chunk;
    }
  };
}

function tooLarge(maxBytes: number, how: "sent" | "unpacked"): RefusedRequest {
  return new RefusedRequest(
    413,
    `A body has at most ${maxBytes} bytes as it is ${how}. Send fewer spans at a time.`,
  );
}

export class ByteBudget {
  readonly #maxBytes: number;
  #held = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** @throws RefusedRequest if there is no room now; writing other requests frees room */
  take(bytes: number): void {
    if (bytes > 0 && this.#held + bytes > this.#maxBytes) {
      throw new RefusedRequest(503, "More spans are on their way than can be held. Send these again.");
    }
    this.#held += bytes;
  }
}

export class Allotment {
  readonly #budget: ByteBudget;
  #bytes = 0;

  constructor(budget: ByteBudget) {
    this.#budget = budget;
  }

  /** @throws RefusedRequest if there is no room; the request then holds its previous share */
  set(bytes: number): void {
    this.#budget.take(bytes - this.#bytes);
    this.#bytes = bytes;
  }
}
