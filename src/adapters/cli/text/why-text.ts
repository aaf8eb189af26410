import type {
  ExplainedLines,
  LineCandidate,
  LineEvidence,
  LinesExplained,
  WriterContext,
} from "../../../domain/changes/line-explanation.js";
import type { LineMatch } from "../../../domain/changes/line-owners.js";
import { ABSENT, formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";
import { plausibleTime } from "../../../domain/trace/instant.js";
import { sessionName } from "./session-names.js";
import { inColumns, type TableColumn } from "./table.js";

const MAX_COMPLETE = 5;
const MOST_BLOCKS = 200;
const MOST_TEXT = 60;
const MOST_TITLE = 80;

const ROW_COLUMNS: readonly TableColumn[] = [{}, {}, { drop: 1 }, { drop: 2 }, { least: 16 }];

export function whyText(answer: LinesExplained, width?: number): string {
  const { blocks } = answer;
  const visible = blocks.slice(0, MOST_BLOCKS);
  const left = blocks.length - visible.length + answer.moreBlocks;
  const sessions = sessionsIn(blocks);
  const lines = [
    ...headLines(answer),
    ...(blocks.length > 1 ? summaryLines(blocks, sessions) : []),
    ...(blocks.length > MAX_COMPLETE
      ? [
          "",
          ...inColumns(
            visible.map((block) => rowOf(block, sessions)),
            ROW_COLUMNS,
            width,
          ),
        ]
      : visible.flatMap((block) => ["", ...blockLines(block)])),
    ...(left === 0
      ? []
      : ["", `And ${formatCount(left, "further run")} of lines: name a line, or use --json.`]),
  ];
  return lines.map((line) => `${visibleText(line).trimEnd()}\n`).join("");
}

function headLines({ file, from, to, coverage }: LinesExplained): string[] {
  const { sessions, edits, undecided } = coverage;
  const which = from === to ? `line ${from}` : `lines ${from} to ${to}`;
  const facts =
    sessions === 0
      ? "no session edited a file of that name"
      : `${formatCount(edits, "edit")} of a file of that name in ${formatCount(sessions, "session")}`;
  const unknown = undecided === 0 ? "" : `; ${formatCount(undecided, "session")} undecided`;
  return [`${file}, ${to === 0 ? "no lines" : which}: ${facts}${unknown}`];
}

interface Written {
  readonly number: number;
  readonly name: string;
  readonly calls: Set<string>;
  lines: number;
}

function sessionsIn(blocks: readonly ExplainedLines[]): ReadonlyMap<string, Written> {
  const written = new Map<string, Omit<Written, "number">>();
  for (const { from, to, candidates } of blocks) {
    const [writer] = candidates;
    if (writer === undefined) continue;
    const name = sessionOf(writer);
    const one = written.get(name) ?? { name, calls: new Set<string>(), lines: 0 };
    one.lines += to - from + 1;
    one.calls.add(writer.call.id);
    written.set(name, one);
  }
  const sorted = [...written].sort(([, a], [, b]) => b.lines - a.lines);
  return new Map(sorted.map(([name, one], i) => [name, { ...one, number: i + 1 }]));
}

function summaryLines(blocks: readonly ExplainedLines[], sessions: ReadonlyMap<string, Written>): string[] {
  const nobody = blocks
    .filter(({ candidates }) => candidates.length === 0)
    .reduce((sum, { from, to }) => sum + to - from + 1, 0);
  return [
    ...[...sessions.values()].map(
      ({ number, lines, calls, name }) =>
        `  [${number}] ${formatCount(lines, "line")} by ${formatCount(calls.size, "edit")} of ${name}`,
    ),
    ...(nobody === 0 ? [] : [`      ${formatCount(nobody, "line")} that no session wrote`]),
  ];
}

function rowOf(
  { from, to, text, candidates: [writer], commit }: ExplainedLines,
  sessions: ReadonlyMap<string, Written>,
): string[] {
  const excerpt = text.slice(0, MOST_TEXT);
  const lines = linesText(from, to);
  if (writer === undefined) return [lines, ABSENT, "", commit?.id?.slice(0, 10) ?? "", excerpt];
  const { timestamp, tool, sequence } = writer.call;
  const session = `[${sessions.get(sessionOf(writer))?.number ?? ""}]`;
  return [
    lines,
    `${session} ${timeOf(timestamp)}`,
    `${tool}, step ${sequence}`,
    commit?.id?.slice(0, 10) ?? "",
    excerpt,
  ];
}

function linesText(from: number, to: number): string {
  return from === to ? String(from) : `${from}-${to}`;
}

function blockLines({ from, to, text, candidates, commit }: ExplainedLines): string[] {
  const [writer, ...others] = candidates;
  const committed =
    commit === undefined
      ? []
      : [row("commit", commit.id === undefined ? commit.summary : commitText(commit, commit.id))];
  const head = `${linesText(from, to)}  ${text}`;
  if (writer === undefined) return [head, row("written", "by no session"), ...committed];
  return [
    head,
    row("written", `${timeOf(writer.call.timestamp)} by ${callText(writer)}`),
    row("session", sessionOf(writer)),
    row("evidence", evidenceText(writer)),
    ...committed,
    ...(writer.saw === undefined ? [] : sawLines(writer.saw)),
    row("page", pageOf(writer)),
    ...others.map((other) =>
      row(
        "or",
        `${timeOf(other.call.timestamp)} by ${callText(other)} in ${sessionOf(other)}: ${evidenceText(other)}`,
      ),
    ),
  ];
}

function row(name: string, text: string): string {
  return `  ${name.padEnd(9)} ${text}`;
}

function commitText(
  { author, summary, timestamp }: NonNullable<ExplainedLines["commit"]>,
  id: string,
): string {
  return `${id.slice(0, 10)} ${timeOf(timestamp)} ${author}: ${summary}`;
}

function timeOf(timestamp: string): string {
  if (plausibleTime(timestamp) === undefined) return "at an unknown time";
  return timestamp.slice(0, 16).replace("T", " ");
}

function callText({ call: { tool, sequence, agentId } }: LineCandidate): string {
  return `${tool}, step ${sequence}${agentId === undefined ? "" : ` of the agent ${agentId}`}`;
}

function sessionOf(session: LineCandidate): string {
  const title = session.title?.replace(/\s+/g, " ").slice(0, MOST_TITLE);
  return `${sessionName(session)}${title === undefined ? "" : `  ${title}`}`;
}

function pageOf({ tenantId, sessionId, call }: LineCandidate): string {
  const [tenant, session, event] = [tenantId, sessionId, call.id].map(encodeURIComponent);
  return `#/s/${tenant}/${session}/trace?event=${event}`;
}

const MATCHES: { readonly [match in LineMatch]: string } = {
  exact: "unchanged",
  moved: "moved since",
  reformatted: "formatted since",
  restored: "removed and restored",
};

const PATHS: { readonly [path in LineEvidence["path"]]: string } = {
  same: "the same file",
  checkout: "the same path in another folder",
  name: "a file of the same name",
};

const COMMITS = {
  between: "between this commit and the file's previous commit",
  before: "before the file's previous commit",
};

function evidenceText({ path, score, evidence }: LineCandidate): string {
  const { lines, path: match, commit, isAlternative } = evidence;
  const how = (Object.keys(MATCHES) as LineMatch[]).flatMap((one) =>
    lines[one] === undefined ? [] : [`${formatCount(lines[one])} ${MATCHES[one]}`],
  );
  const excerpt = isAlternative ? ["wrote the same text"] : how;
  const when = commit === undefined ? [] : [COMMITS[commit]];
  return `${[...excerpt, `${PATHS[match]} (${path})`, ...when].join("; ")}; score ${score}`;
}

function sawLines(saw: WriterContext): string[] {
  const { messages, estimatedTokens, countedTokens, source, because, ownWords, newWords } = saw;
  const tokens = `${formatCount(countedTokens ?? estimatedTokens)} tokens`;
  const size = source === null ? "not recorded" : `${formatCount(messages, "message")}, ${tokens}`;
  const own = [
    ownWords.length === 0 ? "" : `first used by the model: ${ownWords.join(", ")}`,
    newWords.length === 0 ? "" : `new: ${newWords.join(", ")}`,
  ].filter(Boolean);
  return [
    row("context", size),
    ...(because === null
      ? [row("because", source === null ? ABSENT : "no message of its context holds words of these lines")]
      : [
          row(
            "because",
            `message ${because.index}, ${originText(because)}, was the first with ${because.words.join(", ")}`,
          ),
          row("", `“${because.text}”`),
        ]),
    ...(own.length === 0 ? [] : [row("words", own.join("; "))]),
  ];
}

function originText({ source }: NonNullable<WriterContext["because"]>): string {
  switch (source.by) {
    case "tool": {
      const [use] = source.uses;
      if (use === undefined) return "a tool's result";
      return `the result of ${[use.name, use.paths[0] ?? use.text].filter(Boolean).join(" ")}`;
    }
    case "person":
      return "a prompt of the user";
    case "parent":
      return "the prompt of its parent agent";
    case "compaction":
      return "the summary of a compaction";
    case "system":
      return "a system message";
    case "model":
      return "an answer of the model";
    default:
      source satisfies never;
      return "";
  }
}
