import { readdirSync } from "node:fs";
import path from "node:path";
import { INVENTED, inventedFolder } from "./invented/histories.js";
import { type SharedPlace, sharedPlaces } from "./shared-data.js";

/** At any depth: invented ones always, shared ones where they are present. */
export function historyPlaces(): readonly SharedPlace[] {
  const invented = INVENTED.flatMap(({ kind }) => {
    const root = inventedFolder(kind);
    const below = readdirSync(root, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isDirectory())
      .map((entry) => path.join(entry.parentPath, entry.name));
    return [root, ...below].map((folder) => ({
      place: path.join(`invented ${kind}`, path.relative(root, folder)),
      folder,
      kind,
    }));
  });
  return [...invented, ...sharedPlaces()];
}

/** No format may recognise these as its own. */
export function placesOfOthers(kind: string): readonly SharedPlace[] {
  return historyPlaces().filter((one) => one.kind !== kind);
}
