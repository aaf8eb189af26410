import { inventedFolder } from "../../support/invented/histories.js";
import { type SharedHistory, sharedHistories } from "../../support/shared-data.js";

/** The homes of Codex in the shared data, by the names of their origins. */
export const realHomes = () => sharedHistories("codex");

/** The homes that a test of any history reads: an invented one always, shared ones where they are present. */
export function allHomes(): readonly SharedHistory[] {
  return [{ name: "invented", folder: inventedFolder("codex") }, ...realHomes()];
}
