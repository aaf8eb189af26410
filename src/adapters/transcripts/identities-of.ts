import type { Stats } from "node:fs";
import { readableOrNone, statEntry } from "../files/bytes/contained-files.js";
import { NUMBERS_PER_IDENTITY, setIdentity } from "../files/bytes/file-identities.js";

/** The identities of files as they are now, of which those that are not there, or may not be looked up, have none. */
export function* identitiesOf(root: string, paths: readonly string[]): Generator<void, Float64Array> {
  const identities = new Float64Array(paths.length * NUMBERS_PER_IDENTITY);
  for (const [i, path] of paths.entries()) {
    setIdentity(identities, i, statFile(root, path));
    yield;
  }
  return identities;
}

/** A regular file as it is now; `undefined` where it is not there, or may not be looked up. */
export function statFile(root: string, path: string): Stats | undefined {
  const stats = readableOrNone(() => statEntry(root, path));
  return stats?.isFile() ? stats : undefined;
}
