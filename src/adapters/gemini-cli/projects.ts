import { createHash } from "node:crypto";
import { closeSync } from "node:fs";
import path from "node:path";
import { SourceUnavailableError } from "../../application/errors.js";
import { isJsonObject, objectField } from "../../domain/json.js";
import { entriesIn, openContained, statContained } from "../jsonl/contained-files.js";
import { readPart } from "../jsonl/file-part.js";
import { decodeText } from "../jsonl/parse-line.js";

/** A folder of chats. */
export interface Project {
  readonly tenantId: string;
  readonly chats: string;
  /** Whether it is the older of two folders that one project may have: it is named by a hash. */
  readonly isHashed: boolean;
}

export const SESSION_FILE = /^(session-.*)\.(jsonl?)$/;

const HASH = /^[0-9a-f]{64}$/;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/;

const LONGEST_ROOT = 4 * 1024;
const LONGEST_REGISTRY = 1024 * 1024;

/** How long folders that were found are taken to be all there are, in milliseconds. */
const FOUND_FOR_MS = 1_000;

const found = new Map<string, { readonly at: number; readonly projects: readonly Project[] }>();

/** The folders of chats in `~/.gemini`, its `tmp`, one project's folder there, or its `chats`: whichever a folder is. */
export function findProjects(root: string): readonly Project[] {
  const names = projectNames(root);
  const projects: Project[] = [];
  for (const base of [root, path.join(root, "tmp")]) {
    for (const folder of foldersIn(root, base))
      projects.push(...projectIn(root, path.join(base, folder), names));
  }
  projects.push(...projectIn(root, root, names));
  if (filesIn(root, root).some((name) => SESSION_FILE.test(name))) {
    projects.push({ ...projectOf(path.dirname(root), undefined, names), chats: root });
  }
  found.clear();
  found.set(root, { at: Date.now(), projects });
  return projects;
}

/** The folders of chats of one tenant. */
export function projectsOf(root: string, tenantId: string): Project[] {
  const isOwn = (project: Project) => project.tenantId === tenantId;
  const last = found.get(root);
  const known = last !== undefined && Date.now() - last.at < FOUND_FOR_MS ? last.projects.filter(isOwn) : [];
  return known.length > 0 ? known : findProjects(root).filter(isOwn);
}

function projectIn(root: string, folder: string, names: ReadonlyMap<string, string>): Project[] {
  const chats = path.join(folder, "chats");
  if (!orNone(() => statContained(root, chats))?.isDirectory()) return [];
  const place = readText(root, path.join(folder, ".project_root"), LONGEST_ROOT);
  return [{ ...projectOf(folder, place?.split("\n", 1)[0]?.trim(), names), chats }];
}

/** One project has one tenant, whichever tool worked in it: it is named as Claude Code names its folder. */
function projectOf(
  folder: string,
  place: string | undefined,
  names: ReadonlyMap<string, string>,
): Omit<Project, "chats"> {
  const name = path.basename(folder);
  const known = place !== undefined && ABSOLUTE.test(place) ? place : names.get(name);
  return { tenantId: known?.replace(/[^a-zA-Z0-9]/g, "-") ?? name, isHashed: HASH.test(name) };
}

/** Where projects lie, by the names that their folders may have: of `projects.json`. */
function projectNames(root: string): ReadonlyMap<string, string> {
  const text = readText(root, path.join(root, "projects.json"), LONGEST_REGISTRY);
  const names = new Map<string, string>();
  let registry: unknown;
  try {
    registry = JSON.parse(text ?? "{}");
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  if (!isJsonObject(registry)) return names;
  for (const [place, slug] of Object.entries(objectField(registry, "projects"))) {
    if (!ABSOLUTE.test(place)) continue;
    names.set(createHash("sha256").update(place).digest("hex"), place);
    if (typeof slug === "string") names.set(slug, place);
  }
  return names;
}

function readText(root: string, file: string, most: number): string | undefined {
  const opened = orNone(() => openContained(root, file));
  if (opened === undefined) return undefined;
  try {
    const { bytes } = readPart(
      opened.descriptor,
      0,
      Math.min(most, opened.identity.size),
      new Uint8Array(most),
    );
    return decodeText(bytes, 0, bytes.length);
  } finally {
    closeSync(opened.descriptor);
  }
}

/** The names of the folders in a folder, in their order. A link may be one. */
export function foldersIn(root: string, folder: string): string[] {
  const entries = orNone(() => entriesIn(root, folder)) ?? [];
  return entries
    .filter(
      (entry) =>
        entry.isDirectory() || (entry.isSymbolicLink() && isFolder(root, path.join(folder, entry.name))),
    )
    .map(({ name }) => name)
    .sort();
}

function isFolder(root: string, folder: string): boolean {
  return orNone(() => statContained(root, folder))?.isDirectory() ?? false;
}

/** The names of what else lies in a folder, in their order. */
export function filesIn(root: string, folder: string): string[] {
  const entries = orNone(() => entriesIn(root, folder)) ?? [];
  return entries
    .filter((entry) => !entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}

/** What may not be read is as if it were not there. */
function orNone<T>(look: () => T | undefined): T | undefined {
  try {
    return look();
  } catch (error) {
    if (error instanceof SourceUnavailableError) return undefined;
    throw error;
  }
}
