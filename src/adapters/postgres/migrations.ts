import { histories } from "./migrations/0001-histories.js";
import type { Migration } from "./migrations/migration.js";

export const MIGRATIONS: readonly Migration[] = [histories];

/** The version of the schema that this code works with. */
export const LATEST_VERSION = MIGRATIONS.length;
