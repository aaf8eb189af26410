import { formatInstant, newestInstant } from "../../domain/instant.js";
import {
  addUsage,
  type InspectorSessionItem,
  NO_USAGE,
  type TokenUsage,
  totalTokens,
} from "../../domain/session.js";
import { type RunActivity, sessionStatus } from "../../domain/session-activity.js";
import type { SessionFiles } from "./project-layout.js";
import { agentsWithLines, type ReadFile } from "./session-reader.js";

/** What the files of a session say of it in the list. It is kept while they are the same. */
export interface SessionDigest {
  readonly usage: TokenUsage;
  readonly turns: number;
  readonly activity: readonly RunActivity[];
  readonly createdAt: number | undefined;
  /** Of the newest record. */
  readonly newest: number | undefined;
  /** When its files were last written to. */
  readonly touched: number;
  /** The title that somebody gave, or else a model. */
  readonly title: string | undefined;
  /** What was asked first, as a title. */
  readonly asked: string | undefined;
  /** The record that a summary names as its leaf, often in another session's file. */
  readonly leafUuid: string | undefined;
  readonly summaries: readonly { readonly leafUuid: string; readonly summary: string }[];
}

/** How much of a prompt serves as a title. */
const TITLE_LENGTH = 100;

/** @param files the conversation, then its sub-agents' */
export function digestSession(files: readonly ReadFile[]): SessionDigest {
  const main = files[0]?.file;
  const conversation = main?.threads[0];
  const threads = files.flatMap(({ file }) => file.threads);
  const prompt = conversation?.firstPrompt ?? main?.threads.find((thread) => thread.firstPrompt)?.firstPrompt;
  return {
    usage: usageOfSession(files),
    turns: conversation?.turns ?? 0,
    activity: conversation === undefined ? [] : [conversation.activity],
    createdAt: conversation?.firstInstant,
    newest: newestInstant(...threads.map((thread) => thread.newest)),
    touched: newestInstant(...files.map(({ identity }) => Math.floor(identity.modifiedAt))) ?? 0,
    title: main?.customTitle ?? main?.aiTitle,
    asked: asTitle(prompt),
    leafUuid: main?.leafUuid,
    summaries: main?.summaries ?? [],
  };
}

/**
 * A session as an element of the list.
 *
 * @param summaries of the whole project, by the record that they name as their leaf
 * @param now the caller's clock, in milliseconds since the epoch
 */
export function describeClaudeSession(
  { tenantId, sessionId }: SessionFiles,
  digest: SessionDigest,
  summaries: ReadonlyMap<string, string>,
  now: number,
): InspectorSessionItem {
  const { usage, turns, activity, createdAt, newest, touched } = digest;
  const title = titleOf(digest, summaries);
  return {
    tenantId,
    sessionId,
    userId: "",
    lastActive: formatInstant(newest ?? touched),
    turns,
    tokens: totalTokens(usage),
    status: sessionStatus(activity, newest, now),
    ...(title === undefined ? {} : { title }),
    ...(createdAt === undefined ? {} : { createdAt: formatInstant(createdAt) }),
    usage: { ...usage },
  };
}

/** The tokens of all files, each message of the API once, whichever files repeat it. */
function usageOfSession(files: readonly ReadFile[]): TokenUsage {
  const withLines = agentsWithLines(files);
  const isCounted = ({ agentId, isProgress }: { agentId: string; isProgress: boolean }) =>
    !isProgress || !withLines.has(agentId);
  const seen = new Map<string, TokenUsage>();
  for (const { file, name } of files) {
    for (const { callId, hasMessageId, thread, usage } of file.calls) {
      if (!isCounted(file.threads[thread]!)) continue;
      const key = hasMessageId ? callId : `${name} ${callId}`;
      const known = seen.get(key);
      if (known === undefined || usage.outputTokens > known.outputTokens) seen.set(key, usage);
    }
  }
  let total = NO_USAGE;
  for (const usage of seen.values()) total = addUsage(total, usage);
  return total;
}

/** The title that somebody or a model gave, what a summary says, or what was asked first. */
function titleOf(
  { title, asked, leafUuid, summaries: own }: SessionDigest,
  summaries: ReadonlyMap<string, string>,
): string | undefined {
  const summary = leafUuid === undefined ? undefined : summaries.get(leafUuid);
  return title ?? summary ?? asked ?? own[own.length - 1]?.summary;
}

const COMMAND = /<command-name>\s*(.*?)\s*<\/command-name>/s;
const COMMAND_ARGUMENTS = /<command-args>\s*(.*?)\s*(<\/command-args>|$)/s;

function asTitle(prompt: string | undefined): string | undefined {
  if (prompt === undefined) return undefined;
  const [command, given] = [COMMAND, COMMAND_ARGUMENTS].map((part) => part.exec(prompt)?.[1] ?? "");
  const text = command === "" ? prompt : `${command} ${given}`;
  const line = text.replace(/\s+/g, " ").trim();
  if (line === "") return undefined;
  return line.length <= TITLE_LENGTH ? line : `${line.slice(0, TITLE_LENGTH - 1).trimEnd()}…`;
}
