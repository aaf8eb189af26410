import { ByteFingerprint } from "../../../domain/text/fingerprints.js";
import type { Line } from "../../files/bytes/line.js";

/** Of a longer line its ends are taken, and its length. */
const HALF = 4 * 1024;

/** How far from its beginning the member of a line is looked for. */
const NEAR = 256;

/** What lines share that differ in the text of one member alone, as a number of 53 bits. */
export function lineKey({ bytes, from, to }: Line, member: string): number {
  const buffer = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const mark = `"${member}":"`;
  const found = buffer.subarray(from, Math.min(to, from + NEAR)).indexOf(mark, 0, "latin1");
  const skipFrom = found === -1 ? from : from + found + mark.length;
  const end = found === -1 ? -1 : buffer.indexOf(0x22, skipFrom);
  const skipTo = end === -1 || end >= to ? skipFrom : end;
  const fingerprint = new ByteFingerprint(to - from - (skipTo - skipFrom));
  fingerprint.add(buffer.subarray(from, skipFrom));
  fingerprint.add(buffer.subarray(skipTo, Math.min(to, skipTo + HALF)));
  if (to > skipTo + HALF) fingerprint.add(buffer.subarray(Math.max(skipTo + HALF, to - HALF), to));
  return fingerprint.toNumber();
}
