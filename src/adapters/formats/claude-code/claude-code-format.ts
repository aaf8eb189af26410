import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { readNote } from "./agent-note.js";
import { ClaudeFollower } from "./follow.js";
import { inherited } from "./inherited.js";
import { discover, inFile, locate, recognises, tenants } from "./layout.js";
import { lineage, relatives } from "./lineage.js";
import { type ClaudeRecord, readRecord } from "./parts.js";
import { persisted } from "./persisted-output.js";
import { surroundings } from "./surroundings.js";

/** The histories of Claude Code. `docs/claude-code.md` describes what each record becomes. */
export const claudeCodeFormat: TranscriptFormat<ClaudeRecord> = {
  name: "claude-code",
  folder: {
    recognises,
    tenants,
    discover,
    locate,
    inFile,
    relatives,
    lineage,
    inherited,
    persisted,
    surroundings,
  },
  parts: readRecord,
  follower: (recorder) => new ClaudeFollower(recorder),
  messageMembers: { own: "message", inner: ["data", "message"] },
  instantMember: "timestamp",
  readNote,
  knownAgent: (agentId) =>
    agentId.startsWith("acompact") ? { role: "compaction", description: "Compaction" } : undefined,
};

/** The tasks that a thread runs for a projects folder of Claude Code. Threads load them from here. */
export const steps = readingSteps(claudeCodeFormat);

export const CLAUDE_CODE_TASKS = tasksOf(import.meta.url, "claude-code-format", steps);
