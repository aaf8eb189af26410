import { InvalidRequestError } from "../../../application/errors.js";
import {
  REPOSITORY_PROBLEMS,
  type RepositoryProblem,
  type WorkspaceFile,
  WorkspaceFileError,
  type WorkspaceFiles,
} from "../../../application/ports/workspace-files.js";
import { text } from "../../../application/questions/parameter-kinds.js";
import type { InspectorUseCases } from "../../../application/questions/use-cases.js";
import type {
  ExplainedLines,
  LineCandidate,
  LinesExplained,
  WriterContext,
} from "../../../domain/changes/line-explanation.js";
import { LINE_MATCHES, type LineMatch } from "../../../domain/changes/line-owners.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import {
  type AnswerText,
  fields,
  line as lineOf,
  MOST_RECORDS,
  type ToolAnswer,
  tableOf,
} from "../answer/answer.js";
import { type Cell, hexOf, listed, name, type Own, own } from "../answer/own-words.js";
import { SOURCES } from "./context-tool.js";
import type { Handles } from "./handles.js";
import { FILTER, TEXTS, type Tool, tool } from "./tool.js";
import { optional, required } from "./tool-input.js";

const BUDGET_MS = 8_000;

const LINES = text({
  must: "must be a line or two with a hyphen between, such as 12 or 12-40.",
  problemOf: (typed) => (/^\d{1,9}(?:-\d{1,9})?$/.test(typed) ? undefined : "must be such as 12 or 12-40."),
});

export function whyTool({ explainLines }: InspectorUseCases, files: WorkspaceFiles): Tool {
  return tool({
    name: "why",
    title: "Why a line is there",
    description:
      "The edit that wrote lines of a file here, with its session, the context of its model and the message with the deciding words.",
    input: {
      file: required(text({ min: 1, max: 1_000 }), ""),
      lines: optional(LINES, "12 or 12-40"),
      commit: optional(text({ min: 1, max: 200 }), ""),
      filter: FILTER,
      texts: TEXTS,
    },
    async execute({ file, lines, commit, filter, texts = false }, { handles, signal }): Promise<ToolAnswer> {
      const { problem, ...read } = await readFile(files, file, commit, signal);
      const [line, toLine] = (lines?.split("-") ?? []).map(Number);
      const deadline = performance.now() + BUDGET_MS;
      const ask = (whileUnread: "lines" | "nothing") =>
        explainLines.execute({ ...read, line, toLine, filter, whileUnread }, { signal });
      let answer: LinesExplained;
      do answer = await ask("nothing");
      while (answer.coverage.unread > 0 && performance.now() < deadline);
      if (answer.coverage.unread > 0) answer = await ask("lines");
      const parts = [...problemParts(problem), ...partsOf(answer, texts, handles)];
      return { of: own`several sessions, each row of one`, texts, parts };
    },
  });
}

async function readFile(
  files: WorkspaceFiles,
  file: string,
  commit: string | undefined,
  signal: AbortSignal,
): Promise<WorkspaceFile> {
  try {
    return await files.read(file, { commit, signal });
  } catch (error) {
    if (error instanceof WorkspaceFileError) throw new InvalidRequestError(error.parameter, error.problem);
    throw error;
  }
}

function problemParts(problem: RepositoryProblem | undefined): readonly AnswerText[] {
  const sentence = listed(Object.values(REPOSITORY_PROBLEMS), problem && REPOSITORY_PROBLEMS[problem]);
  return sentence === undefined ? [] : [lineOf(sentence)];
}

function partsOf(
  { from, to, blocks, moreBlocks, coverage }: LinesExplained,
  texts: boolean,
  handles: Handles,
): readonly AnswerText[] {
  const visible = blocks.slice(0, MOST_RECORDS);
  const columns = writerColumns(handles);
  const rows = visible.map((block) => ({ block, writer: block.candidates[0] }));
  const others = visible.flatMap((block) => block.candidates.slice(1).map((writer) => ({ block, writer })));
  return [
    fields(own`lines`, {
      from,
      to,
      runs: blocks.length + moreBlocks,
      shown: visible.length,
      sessions: coverage.sessions,
      edits: coverage.edits,
      unread: coverage.unread,
      undecided: coverage.undecided || undefined,
    }),
    tableOf(undefined, rows, {
      ...columns,
      commit: ({ block: { commit } }) =>
        commit?.id === undefined ? undefined : hexOf(Buffer.from(commit.id, "hex"), 10),
      text: texts ? ({ block }) => block.text : undefined,
    }),
    ...(others.length === 0 ? [] : [tableOf(own`other possible writers`, others, columns)]),
    ...visible.flatMap((block) => sawParts(block, texts)),
  ];
}

function linesOf({ from, to }: ExplainedLines): Own {
  return from === to ? own`${from}` : own`${from}-${to}`;
}

const PATHS = ["same", "checkout", "name"] as const;

/** `writer` is `undefined` if no session wrote the lines. */
interface WrittenLines {
  readonly block: ExplainedLines;
  readonly writer: LineCandidate | undefined;
}

function writerColumns(handles: Handles) {
  return {
    lines: ({ block }) => linesOf(block),
    session: ({ writer }) => writer && handles.session(writer),
    at: ({ writer }) => writer?.call.sequence,
    time: ({ writer }) => plausibleTime(writer?.call.timestamp),
    tool: ({ writer }) => name("tool", writer?.call.tool),
    score: ({ writer }) => writer?.score,
    how: ({ writer }) => writer && howOf(writer.evidence),
    path: ({ writer }) => listed(PATHS, writer?.evidence.path),
  } satisfies { readonly [column: string]: (written: WrittenLines) => Cell };
}

function howOf({ isAlternative, lines }: LineCandidate["evidence"]): Own | undefined {
  if (isAlternative) return own`same text`;
  const [most] = (Object.keys(lines) as LineMatch[]).sort((a, b) => lines[b]! - lines[a]!);
  return listed(LINE_MATCHES, most);
}

function sawParts(block: ExplainedLines, texts: boolean): readonly AnswerText[] {
  const saw = block.candidates[0]?.saw;
  if (saw === undefined) return [];
  const { because, messages, countedTokens, estimatedTokens, source } = saw;
  const use = because?.source.by === "tool" ? because.source.uses[0] : undefined;
  return [
    fields(own`context of the writer of ${linesOf(block)}`, {
      source: listed(["call", "conversation"], source ?? undefined) ?? own`unknown`,
      messages,
      tokens: countedTokens ?? estimatedTokens,
      decidingMessage: because === null ? own`none` : because.index,
      item: because?.item,
      from: listed(SOURCES, because?.source.by),
      tool: name("tool", use?.name),
      file: name("file", use?.paths[0]),
    }),
    ...(texts ? wordParts(saw) : []),
  ];
}

function wordParts({ because, ownWords, newWords }: WriterContext): readonly AnswerText[] {
  return [
    fields(own`its words`, {
      first: because?.words.join(" "),
      around: because?.text,
      firstUsedByModel: ownWords.join(" ") || undefined,
      new: newWords.join(" ") || undefined,
    }),
  ];
}
