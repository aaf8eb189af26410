import {
  type AuthoredLine,
  type AuthorsInput,
  lineAuthors,
  type TimedEdit,
} from "../../domain/changes/line-authors.js";
import { textAligner } from "../analysis/align-texts.js";
import { ownModule } from "../ports/reading-pool.js";

interface PackedEdit extends TimedEdit {
  readonly original: number | undefined;
}

interface PackedInput extends Omit<AuthorsInput, "edits"> {
  readonly edits: readonly PackedEdit[];
  /** Distinct texts: copies of a file share them, and all are sent to a thread. */
  readonly originals: readonly string[];
}

export const LINE_AUTHORS = {
  module: ownModule(import.meta.url, "line-author-task"),
  name: "findLineAuthors",
  steps: findLineAuthors,
};

export function findLineAuthors({
  edits,
  originals,
  ...input
}: PackedInput): Generator<void, AuthoredLine[]> {
  const complete = edits.map(({ at, edit, original }) => ({
    at,
    edit: original === undefined ? edit : { ...edit, original: originals[original]! },
  }));
  return lineAuthors({ ...input, edits: complete }, textAligner());
}

export function* packedAuthors({ edits, ...input }: AuthorsInput): Generator<void, PackedInput> {
  const places = new Map<string, number>();
  const packed: PackedEdit[] = [];
  for (const { at, edit: complete } of edits) {
    const { original, ...edit } = complete;
    const place = original === undefined ? undefined : (places.get(original) ?? places.size);
    if (original !== undefined && place === places.size) places.set(original, place);
    packed.push({ at, edit, original: place });
    yield;
  }
  return { ...input, edits: packed, originals: [...places.keys()] };
}
