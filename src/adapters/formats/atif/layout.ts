import path from "node:path";
import { textField } from "../../../domain/json/json.js";
import { UniqueNames, withSign } from "../../../domain/lists/unique-names.js";
import type { TranscriptFile, TranscriptFileGroup } from "../../transcripts/folder/transcript-files.js";
import { documentOf, documentsIn, type Named, type TrajectoryDocument } from "./documents.js";
import { agentIdOf, purposeOf, STEPS } from "./record.js";

const MOST_LOOKED_AT = 200;

const LONGEST_ID = 200;

/** The contents of files decide, never their names. */
export function* recognises(root: string): Generator<void, boolean> {
  return (yield* documentsIn(root, root, { documents: 1, looks: MOST_LOOKED_AT })).length > 0;
}

export function* tenants(root: string): Generator<void, string[]> {
  return [...new Set((yield* documentsIn(root, root)).map((one) => tenantOf(root, one)))].sort();
}

export function* discover(root: string, tenantId: string): Generator<void, TranscriptFileGroup[]> {
  const folder = tenantId === ownName(root) ? root : path.join(root, tenantId);
  const documents = (yield* documentsIn(root, folder)).filter((one) => tenantOf(root, one) === tenantId);
  const sessions: TranscriptFileGroup[] = [];
  const names = new UniqueNames();
  for (const [first, files] of new Runs(documents).all()) {
    const { sessionId: run, trajectoryId, path: file } = first;
    const name = path
      .relative(folder, file)
      .replace(/\.json$/, "")
      .split(path.sep)
      .join(".");
    const ids = [run, trajectoryId, name].filter((id) => id !== undefined && id.length <= LONGEST_ID);
    const free = ids.find((id) => !names.has(id!)) ?? name;
    const sessionId = names.take(free, withSign(free, "_"));
    sessions.push({ tenantId, sessionId, ...titled(file), files, relatives: [] });
  }
  return sessions;
}

export function* inFile(
  root: string,
  file: string,
): Generator<void, readonly TranscriptFileGroup[] | undefined> {
  const document = yield* documentOf(root, file);
  if (document === undefined) return undefined;
  const documents =
    document.names.length > 0 || document.continued !== undefined ? yield* documentsIn(root, root) : [];
  const others = documents.filter((one) => one.path !== file);
  const files = new Runs([document, ...others]).filesOf(document);
  const ids = [document.sessionId, document.trajectoryId].filter(
    (id) => id !== undefined && id.length <= LONGEST_ID,
  );
  const sessionId = ids[0] ?? path.basename(file, ".json");
  return [{ tenantId: ownName(root), sessionId, ...titled(file), files, relatives: [] }];
}

const ownName = (root: string) => path.basename(root) || "files";

/** A job is a folder with folders of trials. Other documents belong to the root. */
function tenantOf(root: string, { path: file }: TrajectoryDocument): string {
  const folders = path.relative(root, path.dirname(file)).split(path.sep);
  if (folders.at(-1) === "agent") folders.pop();
  return folders.length >= 2 ? folders[0]! : ownName(root);
}

/** Prompts of benchmarks begin alike, so a trial has the title of its task. */
function titled(file: string): { readonly title?: string } {
  const folder = path.dirname(file);
  const trial = path.basename(path.dirname(folder));
  return path.basename(folder) === "agent" && trial !== "" ? { title: trial } : {};
}

type Files = [TranscriptFile, ...TranscriptFile[]];

/** A run is a document that no other one names, with all documents that it leads to. */
class Runs {
  readonly #documents: readonly TrajectoryDocument[];
  readonly #byPath: ReadonlyMap<string, TrajectoryDocument>;
  readonly #byId = new Map<string, TrajectoryDocument>();
  readonly #taken = new Set<TrajectoryDocument>();

  constructor(documents: readonly TrajectoryDocument[]) {
    this.#documents = documents;
    this.#byPath = new Map(documents.map((one) => [one.path, one]));
    for (const one of documents) {
      if (one.trajectoryId !== undefined) this.#byId.set(`trajectory ${one.trajectoryId}`, one);
      if (one.sessionId !== undefined) this.#byId.set(`${path.dirname(one.path)} ${one.sessionId}`, one);
    }
  }

  all(): [TrajectoryDocument, Files][] {
    const named = new Set(
      this.#documents.flatMap((one) => [this.#next(one), ...one.names.map((name) => this.#find(one, name))]),
    );
    // In a circle of documents the first one is the run.
    const inOrder = [...this.#documents].sort((a, b) => Number(named.has(a)) - Number(named.has(b)));
    return inOrder.flatMap((one): [TrajectoryDocument, Files][] =>
      this.#taken.has(one) ? [] : [[one, this.filesOf(one)]],
    );
  }

  filesOf(document: TrajectoryDocument): Files {
    const files: Files = [fileOf(document, "")];
    this.#taken.add(document);
    const names = new UniqueNames();
    names.take("", () => "");
    const open = [{ document, agentId: "" }];
    for (let next = open.shift(); next !== undefined; next = open.shift()) {
      const { agentId } = next;
      for (let part: TrajectoryDocument | undefined = next.document, n = 2; part !== undefined; n++) {
        for (const named of part.names) {
          const agent = this.#find(part, named);
          if (agent === undefined || this.#taken.has(agent)) continue;
          this.#taken.add(agent);
          const own = agentIdOf(named.reference)!;
          const id = names.take(own, withSign(own, "_"));
          const { toolCallId, reference } = named;
          const parentAgentId = agentId;
          const note = { role: agent.agent, description: purposeOf(reference), toolCallId, parentAgentId };
          files.push({ ...fileOf(agent, id), note });
          open.push({ document: agent, agentId: id });
        }
        part = this.#next(part);
        if (part === undefined || this.#taken.has(part)) break;
        this.#taken.add(part);
        files.push({ ...fileOf(part, `${agentId} part ${n}`), isAgent: false, continues: agentId });
      }
    }
    return files;
  }

  #next({ path: file, continued }: TrajectoryDocument): TrajectoryDocument | undefined {
    return continued === undefined ? undefined : this.#byPath.get(path.join(path.dirname(file), continued));
  }

  /** By id, by file name, or by session, unless that is the session of the complete run. */
  #find(by: TrajectoryDocument, { reference }: Named): TrajectoryDocument | undefined {
    const folder = path.dirname(by.path);
    const [id, file, session] = ["trajectory_id", "trajectory_path", "session_id"].map((name) =>
      textField(reference, name),
    );
    const named = id === undefined ? undefined : this.#byId.get(`trajectory ${id}`);
    const lying = file === undefined ? undefined : this.#byPath.get(path.join(folder, file));
    if (named !== undefined || lying !== undefined || id !== undefined) return named ?? lying;
    return session === by.sessionId ? undefined : this.#byId.get(`${folder} ${session}`);
  }
}

function fileOf({ path: file }: TrajectoryDocument, agentId: string): TranscriptFile {
  return { path: file, agentId, isAgent: agentId !== "", isOneConversation: true, arrayMember: STEPS };
}
