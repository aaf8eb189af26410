import { inventedFolder } from "../../support/invented/histories.js";
import { projectsFolders } from "./real-histories.js";

/** Invented ones always, shared ones where they are present. */
export function allProjects(): [name: string, folder: string][] {
  return [["invented", inventedFolder("claude-code")], ...projectsFolders()];
}
