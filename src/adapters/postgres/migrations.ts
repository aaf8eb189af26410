import { histories } from "./migrations/0001-histories.js";
import { itemTexts } from "./migrations/0002-item-texts.js";
import type { Migration } from "./migrations/migration.js";

export const MIGRATIONS: readonly Migration[] = [histories, itemTexts];

/** The version of the schema that this code works with. */
export const LATEST_VERSION = MIGRATIONS.length;
