import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import { isJsonObject, jsonIn } from "../../domain/json/json.js";
import { sessionsFolder, tenantsFolder } from "../data-directory/session-files.js";

/** What a folder of derived sessions was made of. */
export interface Manifest {
  /** The files as they were: their identities, as text. */
  readonly files: string;
  /** By their keys: what they were made of, and the folders of the sessions that they became. */
  readonly groups: Readonly<Record<string, DerivedGroup>>;
  readonly warnings: readonly RecordWarning[];
}

export interface DerivedGroup {
  readonly stamp: string;
  /** Tenant and session of each. */
  readonly sessions: readonly (readonly [tenantId: string, sessionId: string])[];
  readonly warnings: readonly RecordWarning[];
}

/** A folder that only its owner may read: a data directory, drafts of sessions, and what they were made of. */
export class DerivedFolder {
  readonly #data: string;
  readonly #manifest: string;
  readonly #draft: string;
  readonly #replaced: string;

  constructor(folder: string) {
    this.#data = dataFolder(folder);
    this.#manifest = path.join(folder, "manifest.json");
    this.#draft = path.join(folder, "draft");
    this.#replaced = path.join(folder, "replaced");
    mkdirSync(this.#data, { recursive: true, mode: 0o700 });
  }

  readManifest(): Manifest | undefined {
    const manifest = jsonIn(ifThere(() => readFileSync(this.#manifest, "utf8")) ?? "");
    return isJsonObject(manifest) ? (manifest as unknown as Manifest) : undefined;
  }

  writeManifest(manifest: Manifest): void {
    const draft = `${this.#manifest}.tmp`;
    writeFileSync(draft, JSON.stringify(manifest), { mode: 0o600 });
    renameSync(draft, this.#manifest);
  }

  /** An empty data directory in which sessions are made before they take their place. */
  newDraft(): string {
    rmSync(this.#draft, { recursive: true, force: true });
    mkdirSync(this.#draft, { recursive: true, mode: 0o700 });
    return this.#draft;
  }

  /** Puts the sessions of the draft in their places, each with a rename. */
  publishDraft(): [tenantId: string, sessionId: string][] {
    const published: [string, string][] = [];
    for (const tenantId of namesIn(tenantsFolder(this.#draft))) {
      const drafts = sessionsFolder(this.#draft, tenantId);
      const sessions = sessionsFolder(this.#data, tenantId);
      mkdirSync(sessions, { recursive: true, mode: 0o700 });
      for (const sessionId of namesIn(drafts)) {
        this.remove(tenantId, sessionId);
        renameSync(path.join(drafts, sessionId), path.join(sessions, sessionId));
        published.push([tenantId, sessionId]);
      }
    }
    rmSync(this.#replaced, { recursive: true, force: true });
    return published;
  }

  /** A folder is moved away at once, and removed then. */
  remove(tenantId: string, sessionId: string): void {
    rmSync(this.#replaced, { recursive: true, force: true });
    const session = path.join(sessionsFolder(this.#data, tenantId), sessionId);
    ifThere(() => renameSync(session, this.#replaced));
  }
}

export function dataFolder(folder: string): string {
  return path.join(folder, "data");
}

function namesIn(folder: string): string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}

function ifThere<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
