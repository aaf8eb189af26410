import type { TranscriptFormat } from "../folder/format.js";
import type { AgentNote } from "../folder/transcript-files.js";
import { agentsWithLines, type FileConversation, type SessionFile } from "./derived-file.js";
import { type AgentJob, agentsOf, endsOfJob, type SessionAgent } from "./session-agents.js";

/**
 * Number of failures as in the page's trace: calls, turns and hooks of visible conversations, and tasks of sub-agents. A call is not an
 * extra error if its agent had one; a turn is, because totals do not assign agents to turns.
 * @param notesOf returns the notes for the files of sub-agents; called only if they matter
 */
export function errorsOf(
  files: readonly SessionFile[],
  format: TranscriptFormat,
  notesOf: () => ReadonlyMap<string, AgentNote>,
): number {
  const withLines = agentsWithLines(files);
  const visible = files
    .flatMap(({ derived }) => derived.conversations)
    .filter(({ agentId, isProgress }) => !isProgress || !withLines.has(agentId));
  const errors = visible.reduce((sum, { errors, failedBookkeeping }) => sum + errors + failedBookkeeping, 0);
  if (errors === 0 && !visible.some(hasEndedInError)) return 0;
  const needsNotes = visible.some((one) => one.agentId !== "" && hasEndedInError(one));
  return errors + errorsOfAgents(agentsOf(files, needsNotes ? notesOf() : new Map(), format), visible);
}

function errorsOfAgents(agents: readonly SessionAgent[], visible: readonly FileConversation[]): number {
  const failing = new Set(visible.filter(({ errors }) => errors > 0).map(({ agentId }) => agentId));
  let errors = 0;
  for (const agent of agents) {
    const failed = failedJobs(agent);
    errors += failed;
    if (failed > 0) failing.add(agent.agentId);
  }
  const callers = new Map(agents.map(({ agentId, jobs: [call] }) => [agentId, call?.callerId]));
  for (const agentId of failing) {
    const caller = callers.get(agentId);
    if (caller !== undefined && caller !== "") failing.add(caller);
  }
  const calls = new Map<string, AgentJob>();
  for (const {
    agentId,
    jobs: [call],
  } of agents) {
    if (call?.result?.outcome === "failed" && failing.has(agentId)) calls.set(call.toolCallId, call);
  }
  return errors - calls.size;
}

/** Without a result of its call, the agent's last record decides. */
function failedJobs({ jobs, conversation }: SessionAgent): number {
  const ends = jobs.flatMap(endsOfJob);
  const failed = ends.filter(({ outcome }) => outcome === "failed").length;
  const last = jobs.at(-1);
  const isDecided = last !== undefined && endsOfJob(last).length > 0;
  const endsItself = !isDecided && conversation !== undefined && hasEndedInError(conversation);
  return failed + (endsItself ? 1 : 0);
}

function hasEndedInError({ isFinished, hasFailed }: FileConversation): boolean {
  return isFinished && hasFailed;
}
