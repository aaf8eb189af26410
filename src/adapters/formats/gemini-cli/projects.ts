import { createHash } from "node:crypto";
import path from "node:path";
import { objectField } from "../../../domain/json/json.js";
import { readableOrNone, statContained } from "../../files/bytes/contained-files.js";
import { readShort, shortRecord } from "../../files/bytes/read-short.js";
import { namesIn } from "../../transcripts/names-in.js";

/** A folder of chats. */
export interface Project {
  readonly tenantId: string;
  readonly chats: string;
  /** The folder that was worked in, where that is known. */
  readonly directory: string | undefined;
  /** Whether its folder is named by a hash: of two that a project has, the older one. */
  readonly isHashed: boolean;
}

const HASH = /^[0-9a-f]{64}$/;
const ABSOLUTE = /^(\/|[A-Za-z]:[\\/])/;

/** How much is read of a file that says where projects lie. */
const MOST_BYTES = 1024 * 1024;

/** Where projects lie, by the names that their folders may have. */
type Places = ReadonlyMap<string, string>;

/** How long folders that were found are taken to be all there are, in milliseconds: each tenant is asked for in turn. */
const FOUND_FOR_MS = 1_000;
let last: { readonly root: string; readonly at: number; readonly projects: readonly Project[] } | undefined;

/** The folders of chats in `~/.gemini`, in its `tmp`, in one project's folder there, or a folder of chats itself. */
export function findProjects(root: string): readonly Project[] {
  const places = placesByName(root);
  const bases = [root, path.join(root, "tmp")];
  const folders = bases.flatMap((base) => namesIn(root, base).folders.map((name) => path.join(base, name)));
  const projects = [root, ...folders]
    .map((folder) => ({ folder, chats: path.join(folder, "chats") }))
    .filter(({ chats }) => readableOrNone(() => statContained(root, chats))?.isDirectory())
    .map(({ folder, chats }) => projectOf(root, folder, chats, places));
  if (projects.length === 0) projects.push(projectOf(root, path.dirname(root), root, places));
  last = { root, at: Date.now(), projects };
  return projects;
}

/** The folders of chats of one tenant, the newer ones first. */
export function projectsOf(root: string, tenantId: string): readonly Project[] {
  const isOwn = (project: Project) => project.tenantId === tenantId;
  const isFresh = last?.root === root && Date.now() - last.at < FOUND_FOR_MS;
  const known = isFresh ? last!.projects.filter(isOwn) : [];
  const found = known.length > 0 ? known : findProjects(root).filter(isOwn);
  return found.toSorted((a, b) => Number(a.isHashed) - Number(b.isHashed));
}

/** One project is one tenant, whichever tool worked in it: it is called as Claude Code calls its folder. */
function projectOf(root: string, folder: string, chats: string, places: Places): Project {
  const name = path.basename(folder);
  const noted = readShort(root, path.join(folder, ".project_root"), MOST_BYTES);
  const written = noted?.split("\n", 1)[0]?.trim() ?? "";
  const place = ABSOLUTE.test(written) ? written : places.get(name);
  const tenantId = place?.replace(/[^a-zA-Z0-9]/g, "-") ?? name;
  return { tenantId, chats, directory: place, isHashed: HASH.test(name) };
}

/** What `projects.json` says: a folder is named by the place's hash, or by a name of its own. */
function placesByName(root: string): Places {
  const places = new Map<string, string>();
  const registry = shortRecord(root, path.join(root, "projects.json"), MOST_BYTES);
  for (const [place, slug] of Object.entries(objectField(registry, "projects"))) {
    if (!ABSOLUTE.test(place)) continue;
    places.set(createHash("sha256").update(place).digest("hex"), place);
    if (typeof slug === "string") places.set(slug, place);
  }
  return places;
}
