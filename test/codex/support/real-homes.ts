import { inventedFolder } from "../../support/invented/histories.js";
import { type SharedHistory, sharedHistories } from "../../support/shared-data.js";

export const realHomes = () => sharedHistories("codex");

/** Invented ones always, shared ones where they are present. */
export function allHomes(): readonly SharedHistory[] {
  return [{ name: "invented", folder: inventedFolder("codex") }, ...realHomes()];
}
