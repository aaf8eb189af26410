import { faultText, SourceChangedError, SourceUnavailableError } from "../../application/errors.js";
import type { ReadingTask } from "../../application/ports/reading-pool.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { settled } from "../../application/threads/slices.js";
import { FilesystemSessionStore } from "../data-directory/filesystem-session-store.js";
import { identityNumbers } from "../files/bytes/file-identities.js";
import { DerivedFolder, type DerivedGroup, type Manifest } from "./derived-folder.js";
import { type OtlpFile, type OtlpLocation, otlpFiles } from "./otlp-files.js";
import { readSpans, type SpanFile } from "./read-spans.js";
import { replaySpans, StoredSpans } from "./replay-spans.js";
import { groupSpans, type SpanGroup } from "./span-groups.js";

interface UpdateRequest extends OtlpLocation {
  /** Where the sessions are derived to. */
  readonly derived: string;
}

/** In the place of what files and groups are known by, and unlike any of it: they are read again the next time. */
const UNREAD = "unread";

/** What this thread has read of the files, by where their sessions are derived to. */
const readings = new Map<string, Map<string, SpanFile>>();

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
  const { read, unread } = yield* readFiles(place.root, found, derived);
  const groups = yield* groupSpans(read.map(({ spans, tail }) => [...spans, ...tail]));
  const derivedGroups = yield* deriveGroups(groups, before, folder, place.root);
  const ofGroups = Object.values(derivedGroups);
  const warnings = [
    ...read.flatMap((file) => file.warnings),
    ...unread,
    ...ofGroups.flatMap((group) => group.warnings),
  ];
  const isComplete = unread.length === 0 && ofGroups.every(({ stamp }) => stamp !== UNREAD);
  const manifest: Manifest = { files: isComplete ? files : UNREAD, groups: derivedGroups, warnings };
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

/** By their names, so that it does not matter when they were written. One that cannot be read stays as it was read before. */
function* readFiles(
  root: string,
  found: readonly OtlpFile[],
  derived: string,
): Generator<void, { readonly read: readonly SpanFile[]; readonly unread: readonly RecordWarning[] }> {
  const known = readings.get(derived);
  const read = new Map<string, SpanFile>();
  const unread: RecordWarning[] = [];
  for (const file of found.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const before = known?.get(file.name);
    let one = before;
    try {
      one = yield* readSpans(root, file, before);
    } catch (error) {
      unread.push({
        file: file.name,
        line: before?.line ?? 1,
        reason: `and all lines behind it: ${problemOf(error)}`,
      });
    }
    if (one !== undefined) read.set(file.name, one);
  }
  readings.set(derived, read);
  return { read: [...read.values()], unread };
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
    if (known?.stamp === group.stamp) derived[group.key] = known;
    else {
      try {
        derived[group.key] = yield* deriveGroup(group, spans, folder);
      } catch (error) {
        // Its sessions stay as they were, and those of others are not touched.
        const { file, line } = group.traces[0]![0]!.place;
        const warning = {
          file,
          line,
          reason: `belongs to sessions that are not up to date: ${problemOf(error)}`,
        };
        derived[group.key] = { stamp: UNREAD, sessions: known?.sessions ?? [], warnings: [warning] };
      }
    }
  }
  return derived;
}

function problemOf(error: unknown): string {
  const isKnown = error instanceof SourceChangedError || error instanceof SourceUnavailableError;
  return isKnown ? error.message : faultText(error);
}

function* deriveGroup(
  group: SpanGroup,
  spans: StoredSpans,
  folder: DerivedFolder,
): Generator<unknown, DerivedGroup> {
  const store = new FilesystemSessionStore(folder.newDraft());
  let warnings: readonly RecordWarning[];
  try {
    warnings = yield* replaySpans(group, spans, store);
  } finally {
    yield* settled(store.close());
  }
  return { stamp: group.stamp, sessions: folder.publishDraft(), warnings };
}

function removeOthers(before: Manifest | undefined, { groups }: Manifest, folder: DerivedFolder): void {
  const nameOf = (session: readonly string[]) => session.join("\0");
  const wanted = new Set(Object.values(groups).flatMap(({ sessions }) => sessions.map(nameOf)));
  for (const { sessions } of Object.values(before?.groups ?? {})) {
    for (const session of sessions) if (!wanted.has(nameOf(session))) folder.remove(...session);
  }
}
