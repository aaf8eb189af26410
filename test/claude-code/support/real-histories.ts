import path from "node:path";
import { sharedHistories } from "../../support/shared-data.js";

export function projectsFolders(): [name: string, folder: string][] {
  return sharedHistories("claude-code").map(({ name, folder }) => [name, path.join(folder, "projects")]);
}
