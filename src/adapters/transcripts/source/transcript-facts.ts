import { isPlaceholder } from "../../../domain/cost/call-totals.js";
import { FactsBuilder } from "../../../domain/facts/facts-builder.js";
import { FACTS_CALL_MEMBERS, FACTS_TABLES, type SessionFacts } from "../../../domain/facts/session-facts.js";
import { contextTokens } from "../../../domain/usage/token-counts.js";
import type { ValueKind } from "../../files/cache/disk-cache.js";
import type { Shape } from "../../files/cache/value-shape.js";
import type { TranscriptFormat } from "../folder/format.js";
import type { AgentNote } from "../folder/transcript-files.js";
import type { FactsRecorder } from "../recorder/facts-recorder.js";
import { storedText } from "../recorder/stored-text.js";
import { agentsWithLines, type SessionFile } from "../trace/derived-file.js";
import { agentsOf, type SessionAgent } from "../trace/session-agents.js";
import type { SessionCall } from "../trace/session-calls.js";
import { newestOf, touchedOf } from "./session-summary.js";

const NAMELESS_ROLE = "agent";

const FACTS: Shape = {
  models: [{ model: "text", provider: "text?" }],
  roles: ["text"],
  tools: ["text"],
  causes: ["text"],
  ...Object.fromEntries(
    Object.entries(FACTS_TABLES).map(([name, columns]) => [name, allOf(columns, "numbers")]),
  ),
  largestCalls: [allOf(FACTS_CALL_MEMBERS, "number")],
  edited: ["text"],
  read: ["text"],
  agents: "number",
  compactions: "number",
};

function allOf(names: readonly string[], shape: "number" | "numbers"): Shape {
  return Object.fromEntries(names.map((name) => [name, shape]));
}

/** Separate from the summaries, so that a list without facts loads none. */
export function factsIn(format: string): ValueKind<SessionFacts> {
  return { name: `${format} facts`, shape: FACTS };
}

/**
 * Requires summarised files.
 * @param calls of all files
 * @param notesOf notes for the files of sub-agents; called if there are any
 */
export function factsOf(
  files: readonly SessionFile[],
  calls: readonly SessionCall[],
  format: TranscriptFormat,
  notesOf: () => ReadonlyMap<string, AgentNote>,
): SessionFacts {
  const facts = new FactsBuilder();
  const newest = newestOf(files) ?? touchedOf(files) ?? 0;
  const agents = hasAgents(files) ? agentsOf(files, notesOf(), format) : [];
  facts.addAgents(agents.length);
  addCalls(facts, calls, agents, newest);
  const withLines = agentsWithLines(files);
  for (const { derived } of files) {
    if (derived.facts === undefined) continue;
    addFiles(facts, derived.facts);
    for (const [ordinal, { isProgress, agentId }] of derived.conversations.entries()) {
      if (isProgress && withLines.has(agentId)) continue;
      const own = derived.facts.of(ordinal);
      if (own !== undefined) facts.merge(own, newest);
    }
  }
  return facts.build();
}

function hasAgents(files: readonly SessionFile[]): boolean {
  return files.some(
    ({ isAgent, derived }) =>
      isAgent || derived.spawnsOf.size > 0 || derived.conversations.some(({ agentId }) => agentId !== ""),
  );
}

function addCalls(
  facts: FactsBuilder,
  calls: readonly SessionCall[],
  agents: readonly SessionAgent[],
  newest: number,
): void {
  const roles = new Map(
    agents.map(({ agentId, role }) => [agentId, role === undefined ? NAMELESS_ROLE : storedText(role)]),
  );
  for (const { call, agentId } of calls) {
    const { usage, requestedModel: model, instant, recordedUsd, writtenSize: answerSize } = call;
    const at = Number.isNaN(instant) ? newest : instant;
    facts.addCall({
      at,
      model,
      role: roles.get(agentId) ?? "",
      usage,
      contextTokens: contextTokens(usage),
      recordedUsd,
      isPlaceholder: isPlaceholder({ usage, answerSize }),
    });
    facts.addActivity(at, roles.has(agentId) ? agentId : "");
  }
}

function addFiles(facts: FactsBuilder, { edited, read }: FactsRecorder): void {
  for (const path of edited) facts.addFile(path, "edited");
  for (const path of read) facts.addFile(path, "read");
}
