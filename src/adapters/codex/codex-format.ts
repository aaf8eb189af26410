import { isJsonObject, objectField } from "../../domain/json.js";
import { type CopyRules, copiedRecords } from "../transcripts/copied-records.js";
import type { TranscriptFormat } from "../transcripts/format.js";
import { hash53 } from "../transcripts/hash53.js";
import { titleLine } from "../transcripts/title-line.js";
import { interpreter } from "./interpret.js";
import { discover, locate, recognises, relatives, tenants } from "./layout.js";
import { entryOf, textIn } from "./record.js";
import { renderEvent, withoutContent } from "./render.js";
import { isMessage, outcomeOf } from "./tools.js";

/** The histories of Codex CLI. `docs/codex.md` describes what each record becomes. */
export const codexFormat: TranscriptFormat = {
  name: "codex",
  recognises,
  tenants,
  discover,
  locate,
  relatives,
  lineage: (root, _, { path, copiedFrom = [] }) => copiedRecords(root, path, copiedFrom, COPIES),
  interpreter,
  hasText: (record) => HAS_TITLE.test(entryOf(record).kind),
  render: renderEvent,
  withoutContent,
  messageMember: "payload",
  instantMember: "timestamp",
  resultOf: (record) => ({
    text: textIn(outcomeOf(entryOf(record).payload).output),
    isRefusal: false,
    details: {},
  }),
  textOf: (record) => {
    const { content, message } = entryOf(record).payload;
    return textIn(content ?? message);
  },
  titleOf: titleLine,
};

const HAS_TITLE = /^(message|user_message|thread_name_updated|agent_message)$/;

/** Copies are written byte for byte, but for their instant; known are also some whose totals were written in another order. */
const COPIES: CopyRules = {
  ownMember: "timestamp",
  keyOf(record) {
    const { payload, kind } = entryOf(record);
    if (kind !== "token_count") return undefined;
    const { last_token_usage: last, total_token_usage: total } = objectField(payload, "info");
    return hash53(JSON.stringify([kind, sorted(last), sorted(total), payload.rate_limits]));
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

function sorted(counts: unknown): unknown {
  return isJsonObject(counts) ? Object.entries(counts).sort(([a], [b]) => (a < b ? -1 : 1)) : counts;
}
