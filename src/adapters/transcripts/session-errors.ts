import { agentsWithLines, type FileConversation, type SessionFile } from "./derived-file.js";
import type { TranscriptFormat } from "./format.js";
import { type AgentJob, agentsOf, endsOfJob, type SessionAgent } from "./session-agents.js";
import type { AgentNote } from "./transcript-files.js";

/**
 * How much failed in a session, as the page counts them in its trace: the failed calls, turns and hooks of each conversation
 * that the trace shows, and the failed jobs of sub-agents. A call is no error of its own where something in the agent that it spawned failed.
 *
 * A turn that failed by itself counts even if a sub-agent in it failed, too: which turn that agent belongs to, no sum tells.
 *
 * @param notesOf what lies beside the files of sub-agents; it is only asked for where it matters
 */
export function errorsOf(
  files: readonly SessionFile[],
  format: TranscriptFormat,
  notesOf: () => ReadonlyMap<string, AgentNote>,
): number {
  const withLines = agentsWithLines(files);
  const shown = files
    .flatMap(({ derived }) => derived.conversations)
    .filter(({ agentId, isProgress }) => !isProgress || !withLines.has(agentId));
  const errors = shown.reduce((sum, { errors, failedBookkeeping }) => sum + errors + failedBookkeeping, 0);
  // Without a failure, no agent can have failed, and no call of one.
  if (errors === 0 && !shown.some(hasEndedInError)) return 0;
  const needsNotes = shown.some((one) => one.agentId !== "" && hasEndedInError(one));
  return errors + errorsOfAgents(agentsOf(files, needsNotes ? notesOf() : new Map(), format), shown);
}

/** What the jobs of sub-agents add to the errors of the conversations; the calls that are no errors of their own count back. */
function errorsOfAgents(agents: readonly SessionAgent[], shown: readonly FileConversation[]): number {
  const failing = new Set(shown.filter(({ errors }) => errors > 0).map(({ agentId }) => agentId));
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

/** A job fails as its call does; without a result of its own, as what the agent wrote last. */
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
