import { formatInstant, newestInstant } from "../../domain/instant.js";
import {
  addUsage,
  type InspectorSessionItem,
  NO_USAGE,
  type TokenUsage,
  totalTokens,
} from "../../domain/session.js";
import { sessionStatus } from "../../domain/session-activity.js";
import type { SessionFiles } from "./project-layout.js";
import { agentsWithLines, type ReadFile } from "./session-reader.js";

/** How much of a prompt serves as a title. */
const TITLE_LENGTH = 100;

/**
 * A session as an element of the list.
 *
 * @param summaries of the whole project, by the record that they name as their leaf: a summary is often written into
 *   another session's file
 * @param now the caller's clock, in milliseconds since the epoch
 */
export function describeClaudeSession(
  { tenantId, sessionId }: SessionFiles,
  files: readonly ReadFile[],
  summaries: ReadonlyMap<string, string>,
  now: number,
): InspectorSessionItem {
  const [main] = files;
  const conversation = main?.file.threads[0];
  const threads = files.flatMap(({ file }) => file.threads);
  const newest = newestInstant(...threads.map((thread) => thread.newest));
  const touched = newestInstant(...files.map(({ identity }) => Math.floor(identity.modifiedAt))) ?? 0;
  const usage = usageOfSession(files);
  const title = titleOf(main, summaries);
  const createdAt = conversation?.firstInstant;
  return {
    tenantId,
    sessionId,
    userId: "",
    lastActive: formatInstant(newest ?? touched),
    turns: conversation?.turns ?? 0,
    tokens: totalTokens(usage),
    status: sessionStatus(conversation === undefined ? [] : [conversation.activity], newest, now),
    ...(title === undefined ? {} : { title }),
    ...(createdAt === undefined ? {} : { createdAt: formatInstant(createdAt) }),
    usage: { ...usage },
  };
}

/** The tokens of all files, each message of the API once, whichever files repeat it. */
export function usageOfSession(files: readonly ReadFile[]): TokenUsage {
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

/** The title that somebody gave, the one that a model gave, what a summary says, or what was asked first. */
function titleOf(main: ReadFile | undefined, summaries: ReadonlyMap<string, string>): string | undefined {
  if (main === undefined) return undefined;
  const { customTitle, aiTitle, leafUuid, summaries: own, threads } = main.file;
  const summary = leafUuid === undefined ? undefined : summaries.get(leafUuid);
  const prompt = threads[0]?.firstPrompt ?? threads.find((thread) => thread.firstPrompt)?.firstPrompt;
  return customTitle ?? aiTitle ?? summary ?? asTitle(prompt) ?? own[own.length - 1]?.summary;
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
