import { inventedFolder } from "../../support/invented/histories.js";
import { projectsFolders } from "./real-histories.js";

/** The projects folders that a test of any history reads: invented ones always, shared ones where they are present. */
export function allProjects(): [name: string, folder: string][] {
  return [["invented", inventedFolder("claude-code")], ...projectsFolders()];
}
