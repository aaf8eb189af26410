import { SourceUnavailableError } from "../../application/errors.js";
import type { RecordWarning } from "../../application/ports/record-stream.js";
import type { SessionFile } from "./derived-file.js";
import type { Lineage, TranscriptFormat } from "./format.js";
import { TranscriptFileCache } from "./transcript-file-cache.js";
import type { AgentNote, FoundSession, TranscriptFile } from "./transcript-files.js";

const NO_LINEAGE: Lineage = { name: "", isReplay: () => false };

/** Reads the files of sessions in one folder of transcripts, each together with what others wrote first. */
export class SessionFileReader {
  readonly #root: string;
  readonly #format: TranscriptFormat;
  readonly #cache: TranscriptFileCache;

  /** @param maxBytes about how much memory may go into what was derived from files */
  constructor(root: string, format: TranscriptFormat, maxBytes: number) {
    this.#root = root;
    this.#format = format;
    this.#cache = new TranscriptFileCache(root, format, maxBytes);
  }

  /** The files of a conversation, in their order. */
  *readConversation(session: FoundSession, agentId: string): Generator<unknown, SessionFile[]> {
    const files: SessionFile[] = [];
    for (const file of session.files) {
      if (file.agentId !== agentId && file.continues !== agentId) continue;
      const read = yield* this.#cache.read(file, yield* this.#lineageOf(session, file), true);
      if (read !== undefined) files.push(read);
    }
    return files;
  }

  /** The files of a session. One of a sub-agent that may not be read takes only itself, with a warning. */
  *read(
    session: FoundSession,
    keepsRows: boolean,
    linesAtOnce?: number,
  ): Generator<
    unknown,
    { readonly files: readonly SessionFile[]; readonly warnings: readonly RecordWarning[] }
  > {
    const files: SessionFile[] = [];
    const warnings: RecordWarning[] = [];
    const [main, ...agents] = session.files;
    const conversation = yield* this.#cache.read(
      main,
      yield* this.#lineageOf(session, main),
      keepsRows,
      linesAtOnce,
    );
    if (conversation !== undefined) files.push(conversation);
    for (const agent of agents) {
      try {
        const lineage = yield* this.#lineageOf(session, agent);
        const file = yield* this.#cache.read(agent, lineage, keepsRows, linesAtOnce);
        if (file !== undefined) files.push(file);
      } catch (error) {
        if (!(error instanceof SourceUnavailableError)) throw error;
        warnings.push({
          file: this.#cache.nameOf(agent.path),
          line: 1,
          reason: `and all lines behind it: ${error.message}`,
        });
      }
    }
    return { files, warnings: [...files.flatMap(warningsOf), ...warnings] };
  }

  *#lineageOf(session: FoundSession, file: TranscriptFile): Generator<unknown, Lineage> {
    if (session.relatives.length === 0 && file.copiedFrom === undefined) return NO_LINEAGE;
    const { lineage } = this.#format;
    return lineage === undefined ? NO_LINEAGE : yield* lineage(this.#root, session, file);
  }

  /** What is known of a session's agents besides their records. */
  notes({ files }: FoundSession): ReadonlyMap<string, AgentNote> {
    return this.#cache.notes(files);
  }

  /** Derives a session's files anew the next time. */
  forget({ files }: FoundSession): void {
    this.#cache.forget(files);
  }
}

/** What cannot be read of a file, or not as it is stored. */
export function warningsOf({ name, derived }: SessionFile): RecordWarning[] {
  return derived.problems.map(({ line, reason }) => ({ file: name, line, reason }));
}
