import { inflateRawSync } from "node:zlib";
import { ReadingLimitError, SourceUnavailableError } from "../../../application/errors.js";
import { readPart } from "../../files/bytes/line.js";
import { unpackedZstandard } from "../../files/bytes/unpack.js";

/**
 * Reads members of a zip archive synchronously from an open file. Existing packages are asynchronous or hold the complete archive, and
 * lack Zstandard, which these archives use.
 */
export interface ZipMember {
  readonly name: string;
  /** 0 for stored, 8 for Deflate, 93 for Zstandard. */
  readonly method: number;
  readonly packedSize: number;
  readonly size: number;
  readonly offset: number;
}

/** A larger member is refused: a small archive may unpack to any size. */
const MOST_UNPACKED = 2 ** 30;

const MOST_DIRECTORY = 64 * 1024 * 1024;
const MOST_MEMBERS = 100_000;

const END = 0x06054b50;
const END_64 = 0x06064b50;
const LOCATOR_64 = 0x07064b50;
const ENTRY = 0x02014b50;
const LOCAL = 0x04034b50;
const LOCAL_HEADER = 30;
const ENCRYPTED = 1;
const ALL_32 = 0xffffffff;

/**
 * Maps names to members. Of two with one name, the last one counts.
 * @returns `undefined` for a file that is no zip archive
 * @throws ReadingLimitError for members that share bytes, or for too many
 * @throws SourceUnavailableError for a truncated or damaged archive
 */
export function readDirectory(
  descriptor: number,
  size: number,
  isWanted: (name: string) => boolean = () => true,
): Map<string, ZipMember> | undefined {
  const begins = part(descriptor, 0, Math.min(4, size));
  if (begins.length < 4 || ![LOCAL, END].includes(begins.readUInt32LE(0))) return undefined;
  const { at, length } = placeOfDirectory(descriptor, size);
  if (length > MOST_DIRECTORY || at + length > size) throw damaged("its directory lies outside of it");
  const bytes = part(descriptor, at, at + length);
  const members = new Map<string, ZipMember>();
  const places: ZipMember[] = [];
  let entries = 0;
  for (let from = 0; from + 46 <= bytes.length && bytes.readUInt32LE(from) === ENTRY; ) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((field) =>
      bytes.readUInt16LE(from + field),
    );
    const name = bytes.toString("utf8", from + 46, from + 46 + nameLength!);
    const end = from + 46 + nameLength! + extraLength!;
    const extra = bytes.subarray(from + 46 + nameLength!, end);
    const short = [24, 20, 42].map((field) => bytes.readUInt32LE(from + field));
    const [unpacked, packedSize, offset] = completeNumbers(short, extra);
    const isEncrypted = (bytes.readUInt16LE(from + 8) & ENCRYPTED) !== 0;
    const method = isEncrypted ? -1 : bytes.readUInt16LE(from + 10);
    from = end + noteLength!;
    if (++entries > MOST_MEMBERS) throw refused(`it has more than ${MOST_MEMBERS} members`);
    if (!isWanted(name)) continue;
    const member = { name, method, packedSize: packedSize!, size: unpacked!, offset: offset! };
    places.push(member);
    members.delete(name);
    members.set(name, member);
  }
  if (haveSharedBytes(places)) throw refused("its members share bytes, so that it unpacks to any size");
  return members;
}

/** A member lies between its local header and the next member. */
function haveSharedBytes(members: ZipMember[]): boolean {
  members.sort((a, b) => a.offset - b.offset);
  return members.some((one, i) => {
    const before = members[i - 1];
    return before !== undefined && one.offset < before.offset + LOCAL_HEADER + before.packedSize;
  });
}

/** @param size of the archive, in bytes */
export function isInside({ offset, packedSize }: ZipMember, size: number): boolean {
  return offset + LOCAL_HEADER + packedSize <= size;
}

function placeOfDirectory(
  descriptor: number,
  size: number,
): { readonly at: number; readonly length: number } {
  const from = Math.max(0, size - 22 - 0xffff);
  const tail = part(descriptor, from, size);
  let end = tail.length - 22;
  while (end >= 0 && tail.readUInt32LE(end) !== END) end--;
  if (end < 0) throw damaged("its end is missing, as where it is still being written, or was cut off");
  const [length, at] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)];
  if ((length !== ALL_32 && at !== ALL_32) || from + end < 20) return { at, length };
  const locator = part(descriptor, from + end - 20, from + end);
  if (locator.readUInt32LE(0) !== LOCATOR_64) return { at, length };
  const record = part(
    descriptor,
    Number(locator.readBigUInt64LE(8)),
    Number(locator.readBigUInt64LE(8)) + 56,
  );
  if (record.length < 56 || record.readUInt32LE(0) !== END_64) throw damaged("its end points nowhere");
  return { length: Number(record.readBigUInt64LE(40)), at: Number(record.readBigUInt64LE(48)) };
}

/** An extra field contains values that need eight bytes. */
function completeNumbers(short: readonly number[], extra: Buffer): number[] {
  let field = Buffer.alloc(0);
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) === 1)
      field = Buffer.from(extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2)));
  }
  let at = 0;
  return short.map((value) => {
    if (value !== ALL_32 || at + 8 > field.length) return value;
    at += 8;
    return Number(field.readBigUInt64LE(at - 8));
  });
}

/**
 * @param most maximum unpacked size in bytes. Default is 1 GiB
 * @throws ReadingLimitError if it unpacks to more
 * @throws SourceUnavailableError if it is damaged, too large, or packed with an unsupported method
 */
export function readMember(
  descriptor: number,
  archiveSize: number,
  member: ZipMember,
  most: number = MOST_UNPACKED,
): Buffer {
  const { name, method, packedSize, size, offset } = member;
  if (size > MOST_UNPACKED || packedSize > MOST_UNPACKED)
    throw new ReadingLimitError(`${name} is larger than 1 GiB unpacked, and is not read.`);
  if (size > most)
    throw new ReadingLimitError(
      `${name} unpacks to ${mebibytes(size)} from ${mebibytes(packedSize)}, and no more than ${mebibytes(most)} are read of it. Move the log out of the folder.`,
    );
  const local = part(descriptor, offset, offset + LOCAL_HEADER);
  if (local.length < LOCAL_HEADER || local.readUInt32LE(0) !== LOCAL)
    throw damaged(`${name} is not where it should be`);
  const from = offset + LOCAL_HEADER + local.readUInt16LE(26) + local.readUInt16LE(28);
  if (from + packedSize > archiveSize) throw damaged(`${name} extends beyond its end`);
  const packed = part(descriptor, from, from + packedSize);
  try {
    const bytes = unpacked(packed, method, size);
    if (bytes?.length === size) return bytes;
    if (bytes === undefined)
      throw new SourceUnavailableError(`${name} is packed in an unknown way, or encrypted.`);
  } catch (error) {
    if (error instanceof SourceUnavailableError) throw error;
    throw damaged(`${name} cannot be unpacked`, error);
  }
  throw damaged(`${name} has another size than it should`);
}

function unpacked(packed: Buffer, method: number, size: number): Buffer | undefined {
  if (method === 0) return packed;
  if (method === 8) return inflateRawSync(packed, { maxOutputLength: Math.max(1, size) });
  return method === 93 ? unpackedZstandard(packed, size) : undefined;
}

function part(descriptor: number, from: number, to: number): Buffer {
  if (!(from >= 0 && to >= from)) throw damaged("it points outside of itself");
  return Buffer.from(readPart(descriptor, from, to, Buffer.alloc(to - from)).bytes);
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

function refused(why: string): ReadingLimitError {
  return new ReadingLimitError(`The archive is not read: ${why}. Move it out of the folder.`);
}

function damaged(why: string, cause?: unknown): SourceUnavailableError {
  return new SourceUnavailableError(`The archive is damaged: ${why}.`, { cause });
}
