import { inventedFolder } from "../../support/invented/histories.js";
import { sharedHistories } from "../../support/shared-data.js";

/** One of them has no chats. */
export function geminiFolders(): [name: string, folder: string][] {
  return sharedHistories("gemini-cli").map(({ name, folder }) => [name, folder]);
}

export const WITHOUT_CHATS = "codemie";

/** Only folders with chats: an invented one always, shared ones where they are present. */
export function allGeminiFolders(): [name: string, folder: string][] {
  return [
    ["invented", inventedFolder("gemini-cli")],
    ...geminiFolders().filter(([name]) => name !== WITHOUT_CHATS),
  ];
}
