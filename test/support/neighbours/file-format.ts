import type { InspectorDataSource } from "../../../src/index.js";
import type { Asked } from "./interview.js";
import type { Lines } from "./plant.js";

export interface FileFormat {
  readonly name: string;
  /** Lines by file below the folder, with `text` in them. */
  session(tenantId: string, sessionId: string, text: string): Lines;
  readonly good: Asked;
  open(folder: string): InspectorDataSource;
  /** Tenants and sessions take the names of folders and files. */
  readonly isNamedByPath: boolean;
}

export const GOOD = "good-0001-4000-8000-000000000000";
export const TEXT = "lantern";

export const texts = (records: readonly object[]) => records.map((record) => JSON.stringify(record));
