import type { TranscriptFormat } from "../../transcripts/folder/format.js";
import { readingSteps, tasksOf } from "../../transcripts/source/reading-tasks.js";
import { readNote } from "./agent-note.js";
import { ClaudeFollower } from "./follow.js";
import { inherited } from "./inherited.js";
import { discover, inFile, locate, recognises, tenants } from "./layout.js";
import { lineage, relatives } from "./lineage.js";
import { type ClaudeRecord, readRecord } from "./parts.js";
import { persisted } from "./persisted-output.js";
import { queuedMessage } from "./record.js";
import { surroundings } from "./surroundings.js";

/** Claude Code: `docs/claude-code.md` describes the result of each record. */
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
  message: queuedMessage,
  instantMember: "timestamp",
  readNote,
  agentOf: (agentId) =>
    agentId.startsWith("acompact") ? { role: "compaction", description: "Compaction" } : undefined,
};

/** Threads load the tasks from this module. */
export const steps = readingSteps(claudeCodeFormat);

export const CLAUDE_CODE_TASKS = tasksOf(import.meta.url, "claude-code-format", steps);
