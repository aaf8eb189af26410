import path from "node:path";
import { isJsonObject, type JsonObject } from "../../domain/json/json.js";
import { checkOptions, type OptionTable } from "../../domain/options/check-options.js";
import { BOOLEAN, FUNCTION, kindOf, numberOf, required, TEXT } from "../../domain/options/option-kinds.js";
import { type FormatFiles, type PlainFormat, plainFormat } from "../transcripts/folder/plain-format.js";
import { readingSteps, type TranscriptTasks, tasksIn } from "../transcripts/source/reading-tasks.js";
import { plainResultOf } from "./plain-value.js";
import { historyFormat, type ReadableFormat } from "./registry.js";

/** A reader of the histories of a tool. @see {@link defineFormat} */
export interface FormatDefinition extends PlainFormat {
  /** Name of the tool for people. */
  readonly label: string;
  /** True for a reader that may be wrong: lists of kinds mention it. Default is false. */
  readonly isExperimental?: boolean | undefined;
  /** Folder of the tool's histories below the user's home, such as `".quill/sessions"`. Default is that people name the folder. */
  readonly home?: string | undefined;
}

const MOST_LEVELS = 8;
const NAME = kindOf("a text of 1 to 100 characters", (value) => isTextUpTo(value, 100));
const ID = kindOf(
  "lower-case letters, digits and dashes, at most 40",
  (value) => typeof value === "string" && /^[a-z][a-z0-9-]{0,39}$/.test(value),
);
const HOME = kindOf(
  "a path below the home folder",
  (value) => isTextUpTo(value, 1_000) && !path.isAbsolute(value) && !value.split(/[/\\]/).includes(".."),
);
const OBJECT = kindOf("an object", isJsonObject);

const FORMAT = {
  id: required(ID),
  label: required(NAME),
  isExperimental: BOOLEAN,
  home: HOME,
  files: required(OBJECT),
  instantMember: required(NAME),
  message: FUNCTION,
  record: required(FUNCTION),
} satisfies OptionTable<FormatDefinition>;

const FILES = {
  ending: required(NAME),
  depth: numberOf(
    `an integer from 0 to ${MOST_LEVELS}`,
    (depth) => Number.isInteger(depth) && depth >= 0 && depth <= MOST_LEVELS,
  ),
  arrayMember: TEXT,
  session: required(FUNCTION),
} satisfies OptionTable<FormatFiles>;

function isTextUpTo(value: unknown, length: number): value is string {
  return typeof value === "string" && value !== "" && value.length <= length;
}

/**
 * Defines a reader of a tool's histories: one file per session, with a record per line or in an array of a JSON document. Export it as the
 * default of a module, for `--plugin MODULE`, or pass it to `createHistoriesDataSource`. It is the seam of the built-in formats Droid,
 * Antigravity and Cline. `describeHistoryFormat` of `agent-inspector/testing` is its contract as a test suite.
 *
 * Functions are synchronous, and return plain data. An error costs only its record, or its file if that is not recognised.
 * @returns a checked copy
 * @throws TypeError for an unknown option, or one of another kind
 * @throws RangeError for a number out of range
 * @example
 * export default defineFormat({
 *   id: "quill",
 *   label: "Quill",
 *   files: { ending: ".quill.jsonl", session: (first) => (first.tool === "quill" ? { id: String(first.session) } : undefined) },
 *   instantMember: "at",
 *   record: ({ role, text }) => ({
 *     parts: [{ is: role === "user" ? "prompt" : "text", text: String(text) }],
 *     call: role === "user" ? undefined : {},
 *   }),
 *   message: ({ role, text }) => ({ role, content: text }),
 * });
 */
export function defineFormat(definition: FormatDefinition): FormatDefinition {
  const format = checkOptions(FORMAT, definition, TypeError, "format");
  return { ...format, files: checkOptions(FILES, format.files, TypeError, "format.files") };
}

export interface CustomFormat extends ReadableFormat {
  readonly tasks: TranscriptTasks;
}

/**
 * @param definition unchecked
 * @param module address of the steps for threads. Default is to read on the host's event loop
 * @throws TypeError for a value that is no definition, or has the id of a built-in format
 */
export function customFormat(definition: FormatDefinition, module?: string): CustomFormat {
  const { id, label, isExperimental, home, ...of } = defineFormat(definition);
  if (historyFormat(id) !== undefined || RESERVED.includes(id))
    throw new TypeError(`The format "${id}" is built in. Choose another id for the custom one.`);
  const format = plainFormat({
    ...of,
    id,
    files: { ...of.files, session: (first, file) => plainResultOf(() => of.files.session(first, file)) },
    ...(of.message && { message: (record) => messageIn(of, record) }),
    record: (record, line) => plainResultOf(() => of.record(record, line)),
  });
  const tasks = tasksIn(module, readingSteps(format));
  return {
    name: id,
    title: label,
    kind: `folder of ${label}'s histories`,
    required: `history of ${label} in it`,
    place: (_, userHome) => home && path.join(userHome, home),
    placeText: home === undefined ? "where it is named" : `\`~/${home}\``,
    inside: home === undefined ? [] : [home],
    isAnyDepth: true,
    versions: "",
    claim: isExperimental ? "experimental" : "full",
    isCustom: true,
    tasks,
    load: async () => ({ format, tasks }),
  };
}

/** Falls back to the record: a message without a format is better than none. */
function messageIn(format: Pick<FormatDefinition, "message">, record: JsonObject): JsonObject | undefined {
  try {
    return plainResultOf(() => format.message?.(record));
  } catch {
    return undefined;
  }
}

/** Kinds of sources that are no formats. */
const RESERVED = ["data", "otlp", "export"];
