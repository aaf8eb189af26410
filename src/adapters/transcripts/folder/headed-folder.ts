import { LRUCache } from "lru-cache";
import { keyText } from "../../../domain/session/session-key.js";
import { realRootOf } from "../../files/bytes/contained-files.js";
import { discoveredOnce, type FolderLookup } from "./discovered-once.js";
import { type FaultyHead, type HeadReader, headOf, headsOf } from "./file-heads.js";
import { append } from "./file-lookups.js";
import type { TranscriptFolder } from "./format.js";
import type { TranscriptFileGroup } from "./transcript-files.js";

export interface HeadedFiles<Head extends FaultyHead, Beside> {
  readonly heads: HeadReader<Head>;
  files(root: string, most?: number): Generator<void, string[]>;
  /** True if the file belongs to the format, which identifies the folder. */
  isOwn(head: Head, root: string, file: string): boolean;
  beside(root: string): Generator<void, Beside>;
  /** `beside` is `undefined` for a separate file. */
  sessions(
    heads: ReadonlyMap<string, Head>,
    beside: Beside | undefined,
  ): Generator<void, TranscriptFileGroup[]>;
}

interface CachedFolder<Head, Beside> {
  readonly heads: ReadonlyMap<string, Head>;
  readonly beside: Beside;
  readonly byTenant: ReadonlyMap<string, readonly TranscriptFileGroup[]>;
  readonly byPlace: ReadonlyMap<string, TranscriptFileGroup>;
}

const RECOGNISED_BY = 50;
const RECOGNISED_IN = 200;

const FOLDERS = 8;

/** Each head is read once, because files only grow. */
export function headedFolder<Head extends FaultyHead, Beside>(
  of: HeadedFiles<Head, Beside>,
): Required<
  Pick<TranscriptFolder, "recognises" | "tenants" | "discover" | "locate" | "inFile" | "relatives">
> {
  const folders = new LRUCache<string, CachedFolder<Head, Beside>>({ max: FOLDERS });

  const folderOf = discoveredOnce(function* (
    root: string,
    { cache }: FolderLookup,
  ): Generator<void, CachedFolder<Head, Beside>> {
    const before = folders.get(root);
    const files = yield* of.files(root);
    const beside = yield* of.beside(root);
    const place = { root, realRoot: realRootOf(root), cache };
    const heads = yield* headsOf(of.heads, place, files, (file) => {
      const head = before?.heads.get(file);
      return head !== undefined && of.heads.isComplete(head) ? head : undefined;
    });
    if (before !== undefined && before.beside === beside && areSame(before.heads, heads)) return before;
    const sessions = yield* of.sessions(heads, beside);
    const byTenant = new Map<string, TranscriptFileGroup[]>();
    for (const session of sessions) append(byTenant, session.tenantId, session);
    const byPlace = new Map(sessions.map((session) => [keyText(session), session]));
    const folder = { heads, beside, byTenant, byPlace };
    folders.set(root, folder);
    return folder;
  });

  return {
    *recognises(root) {
      const place = { root, realRoot: realRootOf(root), cache: undefined };
      for (const file of (yield* of.files(root, RECOGNISED_IN)).slice(-RECOGNISED_BY)) {
        if (of.isOwn(yield* headOf(of.heads, place, file), root, file)) return true;
      }
      return false;
    },
    *tenants(root, lookup) {
      return [...(yield* folderOf(root, lookup)).byTenant.keys()];
    },
    *discover(root, tenantId, lookup) {
      return [...((yield* folderOf(root, lookup)).byTenant.get(tenantId) ?? [])];
    },
    *locate(root, tenantId, sessionId) {
      return (yield* folderOf(root)).byPlace.get(keyText({ tenantId, sessionId }));
    },
    *inFile(root, file) {
      const head = yield* headOf(of.heads, { root, realRoot: realRootOf(root), cache: undefined }, file);
      return of.isOwn(head, root, file) ? yield* of.sessions(new Map([[file, head]]), undefined) : undefined;
    },
    *relatives(root, session) {
      return [...((yield* folderOf(root)).byPlace.get(keyText(session))?.relatives ?? [])];
    },
  };
}

function areSame<Head>(before: ReadonlyMap<string, Head>, now: ReadonlyMap<string, Head>): boolean {
  if (before.size !== now.size) return false;
  for (const [file, head] of now) {
    const cached = before.get(file);
    if (cached !== head && JSON.stringify(cached) !== JSON.stringify(head)) return false;
  }
  return true;
}
