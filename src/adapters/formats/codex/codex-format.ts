import { objectField } from "../../../domain/json/json.js";
import { jsonTextOf } from "../../../domain/json/json-text-of.js";
import { hash53 } from "../../../domain/text/fingerprints.js";
import type { TranscriptFormat } from "../../transcripts/format.js";
import { readingSteps, tasksOf } from "../../transcripts/reading-tasks.js";
import { type CopyRules, copiedRecords } from "./copied-records.js";
import { interpreter } from "./interpret.js";
import { rolloutFolder } from "./layout.js";
import { entryOf, textIn, usageIn } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";
import { isMessage, outcomeOf } from "./tools.js";

/** The histories of Codex CLI. `docs/codex.md` describes what each record becomes. */
export const codexFormat: TranscriptFormat = {
  name: "codex",
  ...rolloutFolder,
  lineage: (root, _, { path, copiedFrom = [] }) => copiedRecords(root, path, copiedFrom, COPIES),
  interpreter,
  hasText: (record) => {
    const { type, payload, kind } = entryOf(record);
    if (type === "event_msg") return kind === "user_message" || kind === "thread_name_updated";
    return payload.role === "user" || kind === "agent_message";
  },
  render: renderEvent,
  withoutContent,
  messageMember: "payload",
  instantMember: "timestamp",
  resultOf: (record) => ({ text: textIn(outcomeOf(entryOf(record).payload).output) }),
  textOf: (record) => textIn(entryOf(record).payload.content ?? entryOf(record).payload.message),
};

/** Copies are written byte for byte, but for their instant; known are also some whose totals were written in another order. */
const COPIES: CopyRules = {
  ownMember: "timestamp",
  keyOf(record) {
    const { payload, kind } = entryOf(record);
    if (kind !== "token_count") return undefined;
    const info = objectField(payload, "info");
    const usages = ["last_token_usage", "total_token_usage"].map((name) => usageIn(objectField(info, name)));
    return hash53(jsonTextOf([kind, usages, payload.rate_limits])!);
  },
  copyOf(record) {
    const entry = entryOf(record);
    const isNeeded = entry.type === "turn_context" || entry.kind === "token_count";
    return { isMessage: isMessage(entry), isNeeded };
  },
  // Settings are also written beside copies; the first event or item of the thread's own work ends them.
  endsCopies(record) {
    const { type, payload, kind } = entryOf(record);
    return (
      type === "event_msg" ||
      (type === "response_item" && (kind !== "message" || payload.role === "assistant"))
    );
  },
};

/** What a thread is asked about a home of Codex. Threads find them here. */
export const steps = readingSteps(codexFormat);

export const CODEX_TASKS = tasksOf(import.meta.url, steps);
