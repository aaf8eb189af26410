import type { InspectorDataSource } from "../../../src/index.js";
import type { Asked } from "./interview.js";
import type { Lines } from "./plant.js";

/** Histories in files, of which a session of any name can be written. */
export interface FileFormat {
  readonly name: string;
  /** A session by its files below the folder, as lines, with a text in it. */
  session(tenantId: string, sessionId: string, text: string): Lines;
  /** Whose records are all good. */
  readonly good: Asked;
  open(folder: string): InspectorDataSource;
  /** Whether tenants and sessions have the names of folders and files. */
  readonly isNamedByPath: boolean;
}

export const GOOD = "good-0001-4000-8000-000000000000";
export const TEXT = "lantern";

export const texts = (records: readonly object[]) => records.map((record) => JSON.stringify(record));
