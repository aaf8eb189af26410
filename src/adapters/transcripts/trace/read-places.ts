import { readSync } from "node:fs";
import { SourceChangedError } from "../../../application/errors.js";
import {
  canBeginBehind,
  hasLineFeed,
  isBetween,
  isCompleteObject,
  isOutside,
  partAround,
} from "../../files/bytes/complete-lines.js";
import { nameInside } from "../../files/bytes/contained-files.js";
import { currentIdentity, type FileState, goesOnFrom, isAsItWas } from "../../files/bytes/file-growth.js";
import { type FileIdentity, isUnchanged } from "../../files/bytes/file-identities.js";
import { closeMembers } from "../../files/bytes/read-elements.js";
import type { TranscriptFormat } from "../folder/format.js";
import { openLines } from "../folder/open-lines.js";
import type { SessionFile } from "./derived-file.js";
import { messageBytes } from "./message-in-record.js";
import { BatchBuilder, SpareBuffer, type TextBatch } from "./text-batch.js";

export interface ReadFolder {
  readonly root: string;
  readonly format: TranscriptFormat;
}

/** Closer lines are read at once, with the bytes between. */
const GAP = 16 * 1024;
const READ_AT_ONCE = 1024 * 1024;

const spare = new SpareBuffer(READ_AT_ONCE + 2);

/**
 * Reads ranges in the order of their offsets. The check of the file after the last range confirms the content.
 * @param take receives bytes that are reused afterwards; returns true to pause
 * @param since an earlier state of the file that it must continue, too
 * @throws SourceChangedError if the file is gone, or has not only grown
 */
export function* readPlaces(
  { root, format }: ReadFolder,
  { path, derived, arrayMember }: SessionFile,
  places: readonly { readonly start: number; readonly length: number }[],
  take: (bytes: Uint8Array, index: number) => boolean,
  since: FileState = derived,
): Generator<void, void> {
  if (places.length === 0) return;
  const name = nameInside(root, path);
  const opened = yield* openLines(root, path, format.folder.packed, { wanted: since.identity });
  if (opened === undefined) throw new SourceChangedError(`${name} is gone.`);
  const { descriptor, identity } = opened;
  const isDocument = arrayMember !== undefined;
  const isStillThere = isDocument || opened.isUnpacked ? isAsItWas : goesOnFrom;
  const goesOn = (now: FileIdentity) =>
    isStillThere(derived, descriptor, now) && (since === derived || isStillThere(since, descriptor, now));
  const changed = () => new SourceChangedError(`${name} was replaced, cut or written over.`);
  try {
    if (!goesOn(identity)) throw changed();
    for (let first = 0; first < places.length; ) {
      const from = places[first]!.start;
      let end = from + places[first]!.length;
      let next = first + 1;
      for (; next < places.length; next++) {
        const { start, length } = places[next]!;
        if (start - end > GAP || start + length - from > READ_AT_ONCE) break;
        end = Math.max(end, start + length);
      }
      const buffer = spare.take(end - from + 2);
      const bytes = buffer.subarray(0, end - from + 2);
      const part = partAround(from, end, derived.identity.size, bytes);
      for (let done = 0; done < part.into.length; ) {
        const read = readSync(descriptor, part.into, done, part.into.length - done, part.from + done);
        if (read === 0) throw changed();
        done += read;
      }
      for (; first < next; first++) {
        const at = places[first]!.start - from + 1;
        const to = at + places[first]!.length;
        const before = bytes[at - 1]!;
        if (isDocument) closeMembers(bytes, at, to);
        else if (hasLineFeed(bytes, at, to) || !(canBeginBehind(before) || isBetween(before)))
          throw changed();
        const isLine = canBeginBehind(before) && isOutside(bytes[to]!);
        if (!isLine && !(yield* isCompleteObject(bytes, at, to))) throw changed();
        if (take(bytes.subarray(at, to), first)) yield;
      }
      spare.giveBack(buffer);
    }
    const now = currentIdentity(opened);
    if (!isUnchanged(identity, now) && !goesOn(now)) throw changed();
  } finally {
    opened.close();
  }
}

const BATCH_BYTES = 256 * 1024;

/**
 * Messages at some positions, byte for byte: as many as fit in one batch.
 * @param since the file at the time of counting
 * @throws SourceChangedError if the file has not only grown since
 */
export function* readMessages(
  folder: ReadFolder,
  file: SessionFile,
  since: FileState,
  positions: Uint32Array,
): Generator<void, TextBatch> {
  const { messageStarts, messageLengths } = file.derived;
  const places: { readonly start: number; readonly length: number; readonly at: number }[] = [];
  let bytes = 0;
  for (const [at, position] of positions.entries()) {
    if (position >= messageStarts.length) throw changed();
    const length = messageLengths[position]!;
    if (places.length > 0 && bytes + length > BATCH_BYTES) break;
    places.push({ start: messageStarts[position]!, length, at });
    bytes += length;
  }
  const message = messageBytes(folder.format, file);
  const messages = new BatchBuilder(places.length);
  const inOrder = [...places].sort((a, b) => a.start - b.start);
  yield* readPlaces(
    folder,
    file,
    inOrder,
    (record, i) => {
      messages.addBytes(inOrder[i]!.at, message(record));
      return true;
    },
    since,
  );
  return messages.batch();
}

function changed(): SourceChangedError {
  return new SourceChangedError("The session changed while it was being read.");
}
