import type { ReadingTask } from "../../application/ports/reading-pool.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { settled } from "../../application/settled.js";
import { FilesystemSessionStore } from "../filesystem/filesystem-session-store.js";
import { identityNumbers } from "../jsonl/file-identities.js";
import { DerivedFolder, type DerivedGroup, type Manifest } from "./derived-folder.js";
import { type OtlpFile, type OtlpPlace, otlpFiles } from "./otlp-files.js";
import { type ReadFile, readSpans } from "./read-spans.js";
import { replaySpans } from "./replay-spans.js";
import { groupSpans, type SpanGroup } from "./span-groups.js";
import { StoredSpans } from "./stored-spans.js";

export interface UpdateRequest extends OtlpPlace {
  /** Where the sessions are derived to. */
  readonly derived: string;
}

/** What this thread has read of the files, by where their sessions are derived to. */
const readings = new Map<string, Map<string, ReadFile>>();

/**
 * Sees to it that a folder of derived sessions shows the files as they are now: reads what was added to them, and replaces the sessions
 * that have new spans.
 *
 * @returns what could not be read
 */
export function* updateSessions({
  derived,
  ...place
}: UpdateRequest): Generator<unknown, readonly RecordWarning[]> {
  const folder = new DerivedFolder(derived);
  const before = folder.readManifest();
  const found = yield* otlpFiles(place);
  const files = found.map(stateOf).join("\n");
  if (before?.files === files) return before.warnings;
  const read = yield* readFiles(place.root, found, derived);
  const groups = yield* groupSpans(read.map(({ spans, tail }) => [...spans, ...tail]));
  const derivedGroups = yield* deriveGroups(groups, before, folder, place.root);
  const warnings = [
    ...read.flatMap((file) => file.warnings),
    ...Object.values(derivedGroups).flatMap((group) => group.warnings),
  ];
  const manifest: Manifest = { files, groups: derivedGroups, warnings };
  removeOthers(before, manifest, folder);
  folder.writeManifest(manifest);
  return warnings;
}

export const UPDATE_SESSIONS: ReadingTask<UpdateRequest, readonly RecordWarning[]> = {
  module: import.meta.url,
  name: "updateSessions",
  steps: updateSessions,
};

/** Forgets what was read of the files of a source that is closed. */
export function* forgetSessions({ derived }: { readonly derived: string }): Generator<void, void> {
  yield; // as every reading task
  readings.delete(derived);
}

export const FORGET_SESSIONS: ReadingTask<{ readonly derived: string }, void> = {
  module: import.meta.url,
  name: "forgetSessions",
  steps: forgetSessions,
};

function stateOf({ name, identity }: OtlpFile): string {
  return `${name}\t${identityNumbers(identity).join(".")}`;
}

/** By their names, so that it does not matter when they were written. */
function* readFiles(
  root: string,
  found: readonly OtlpFile[],
  derived: string,
): Generator<void, readonly ReadFile[]> {
  const known = readings.get(derived);
  const read = new Map<string, ReadFile>();
  for (const file of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const one = yield* readSpans(root, file, known?.get(file.name));
    if (one !== undefined) read.set(file.name, one);
  }
  readings.set(derived, read);
  return [...read.values()];
}

/** Derives the groups that have changed, those that were active last first. */
function* deriveGroups(
  groups: readonly SpanGroup[],
  before: Manifest | undefined,
  folder: DerivedFolder,
  root: string,
): Generator<unknown, Record<string, DerivedGroup>> {
  const spans = new StoredSpans(root);
  const derived: Record<string, DerivedGroup> = {};
  for (const group of groups) {
    const known = before?.groups[group.key];
    derived[group.key] = known?.stamp === group.stamp ? known : yield* deriveGroup(group, spans, folder);
  }
  return derived;
}

function* deriveGroup(
  group: SpanGroup,
  spans: StoredSpans,
  folder: DerivedFolder,
): Generator<unknown, DerivedGroup> {
  const store = new FilesystemSessionStore(folder.newDraft());
  const errors = yield* replaySpans(group, spans, store);
  yield* settled(store.close());
  const { file, line } = group.traces[0]![0]!.place;
  const warnings = errors.map(({ message }) => ({ file, line, reason: message }));
  return { stamp: group.stamp, sessions: folder.publishDraft(), warnings };
}

function removeOthers(before: Manifest | undefined, { groups }: Manifest, folder: DerivedFolder): void {
  const nameOf = (session: readonly string[]) => session.join("\0");
  const wanted = new Set(Object.values(groups).flatMap(({ sessions }) => sessions.map(nameOf)));
  for (const { sessions } of Object.values(before?.groups ?? {})) {
    for (const session of sessions) if (!wanted.has(nameOf(session))) folder.remove(...session);
  }
}
