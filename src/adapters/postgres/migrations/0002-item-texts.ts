import type { Migration } from "./migration.js";

/**
 * The element of the list as it goes out, so that a page of the list is read and not made. `item_revision` is the revision of
 * the row that the text was made for: code of version 1 writes rows without knowing of the text, and leaves one behind that
 * is then known to be old.
 */
export const itemTexts: Migration = {
  version: 2,
  name: "item texts",
  oldestUser: 1,
  sql: `
ALTER TABLE sessions ADD COLUMN item text COLLATE "C", ADD COLUMN item_revision bigint;
`,
};
