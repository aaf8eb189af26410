import { isJsonObject, type JsonObject, textField } from "../../../domain/json/json.js";
import { firstRecord } from "../../files/bytes/read-short.js";
import type { HistoryRecord } from "../recorder/history-record.js";
import { PlainFollower, type PlainRecord } from "../recorder/plain-follower.js";
import { plainRecord } from "../recorder/plain-record.js";
import { filePerSession } from "./file-per-session.js";
import type { TranscriptFormat } from "./format.js";
import { loneSession, type TranscriptFileGroup, tenantOfDirectory } from "./transcript-files.js";

export interface FormatSession {
  /** From 1 to 200 characters. Default is the name of the file, without its extension. */
  readonly id?: string | undefined;
  /** Groups sessions. Default is the working directory, or the name of the file's folder. */
  readonly tenant?: string | undefined;
  /** Working directory of the session. */
  readonly directory?: string | undefined;
}

export interface FormatFiles {
  /** End of the files' names, such as `".quill.jsonl"`. Other files are not opened. */
  readonly ending: string;
  /** Levels of folders below the folder of histories, from 0 to 8. Default is 3. */
  readonly depth?: number | undefined;
  /**
   * Array of the records in a JSON document, by the name of its member; `""` if the document is the array. The document's other members
   * are records, too. Default is files with a record per line.
   */
  readonly arrayMember?: string | undefined;
  /**
   * Recognises a file by its first record, never by its name alone.
   * @param file absolute path
   * @returns `undefined` for a file of another tool
   */
  session(first: JsonObject, file: string): FormatSession | undefined;
}

/** A tool with one conversation per file, and records in the order of events, each written once. */
export interface PlainFormat {
  /**
   * Name of the format: value of `--source`, and prefix of events that only this tool has. Lower-case letters, digits and dashes, at most
   * 40 characters.
   */
  readonly id: string;
  readonly files: FormatFiles;
  /** Member of a record with its instant, as ISO 8601 text or in milliseconds since the epoch. */
  readonly instantMember: string;
  /**
   * Message of a record, in the format of a model's vendor. Its texts are those of the record, because a search tests the file first.
   * Default is the member `message`, or the record.
   * @example ({ role, text }) => ({ role, content: text })
   */
  message?(record: JsonObject): JsonObject | undefined;
  /**
   * Interprets a record, independently of earlier ones.
   * @param line position of the record in its file, from 1
   * @throws any error costs this record alone: it becomes a warning of its session
   */
  record(record: JsonObject, line: number): HistoryRecord;
}

const DEPTH = 3;

const LONGEST_NAME = 200;

/** No member has this name: files of lines have no array. */
const NO_MEMBER = "\0";

export function plainFormat({
  id: format,
  files,
  instantMember,
  ...of
}: PlainFormat): TranscriptFormat<PlainRecord> {
  const { ending, depth = DEPTH, arrayMember } = files;
  return {
    name: format,
    folder: filePerSession({
      depth,
      isNamed: (name) => name.endsWith(ending),
      *sessionOf(root, file) {
        const first = (yield* firstRecord(root, file, arrayMember ?? NO_MEMBER)) ?? {};
        const session = files.session(first, file);
        return isJsonObject(session) ? groupOf(file, session, arrayMember) : undefined;
      },
    }),
    parts: (record, line) => plainRecord(of.record(record, line), { record, line, format, instantMember }),
    follower: (recorder) => new PlainFollower(recorder),
    messageMembers: { own: of.message === undefined ? "message" : NO_MEMBER },
    ...(of.message && {
      message: (record) => objectOrNone(of.message?.(record)) ?? objectOrNone(record.message),
    }),
    instantMember,
  };
}

function objectOrNone(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

function groupOf(file: string, session: FormatSession, arrayMember: string | undefined): TranscriptFileGroup {
  const lone = loneSession(file);
  const [id, tenant, directory] = (["id", "tenant", "directory"] as const).map((member) =>
    textField({ ...session }, member),
  );
  const ofFolder = directory === undefined ? lone.tenantId : tenantOfDirectory(directory);
  return {
    ...lone,
    tenantId: (tenant ?? ofFolder).slice(0, LONGEST_NAME),
    sessionId: id === undefined || id.length > LONGEST_NAME ? lone.sessionId : id,
    files: [{ ...lone.files[0], arrayMember }],
    ...(directory === undefined ? {} : { directory }),
  };
}
