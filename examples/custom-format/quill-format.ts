import { defineFormat, type HistoryPart, type HistoryRecord } from "agent-inspector/formats";

type Entry = Readonly<Record<string, unknown>>;

const text = (value: unknown) => (typeof value === "string" ? value : undefined);

/** Histories of Quill, an invented tool: `~/.quill/sessions/<session>.quill.jsonl`. */
export default defineFormat({
  id: "quill",
  label: "Quill",
  isExperimental: true,
  home: ".quill/sessions",
  files: {
    ending: ".quill.jsonl",
    session: (first) =>
      first.kind === "begin" && typeof first.quill === "string"
        ? { id: text(first.session), directory: text(first.folder) }
        : undefined,
  },
  instantMember: "at",
  record: readEntry,
  message: messageOf,
});

function readEntry(entry: Entry): HistoryRecord {
  const { text: _, thought: __, input: ___, output: ____, ...rest } = entry;
  return { type: String(entry.kind), parts: partsOf(entry), rest, ...factsOf(entry) };
}

function messageOf({ role, text: content, kind, call, tool, input, output }: Entry) {
  switch (kind) {
    case "use":
      return { role, content: [{ type: "tool_use", id: call, name: tool, input }] };
    case "answer":
      return { role: "user", content: [{ type: "tool_result", tool_use_id: call, content: output }] };
    default:
      return { role, content };
  }
}

function factsOf(entry: Entry): Partial<HistoryRecord> {
  switch (entry.kind) {
    case "begin":
      return { isBookkeeping: true, version: text(entry.quill), start: { folder: entry.folder } };
    case "settings":
      return { isBookkeeping: true };
    case "model":
      return {
        call: {
          model: text(entry.model),
          usage: { inputTokens: Number(entry.in), outputTokens: Number(entry.out) },
          costUsd: typeof entry.usd === "number" ? entry.usd : undefined,
        },
      };
    default:
      return {};
  }
}

function partsOf(entry: Entry): readonly HistoryPart[] {
  const callId = text(entry.call);
  switch (entry.kind) {
    case "title":
      return [{ is: "title", title: text(entry.text) }];
    case "person":
      return [{ is: "prompt", text: text(entry.text) }];
    case "model":
      return [
        ...(entry.thought === undefined ? [] : [{ is: "thinking", text: text(entry.thought) } as const]),
        ...(entry.text === undefined ? [] : [{ is: "text", text: text(entry.text) } as const]),
      ];
    case "use":
      return [{ is: "call", callId, tool: text(entry.tool), input: entry.input }];
    case "answer":
      return [
        { is: "result", callId, output: entry.output, outcome: entry.ok === false ? "failed" : "completed" },
      ];
    case "problem":
      return [{ is: "error", message: text(entry.text) ?? "Quill stopped.", isLast: true }];
    default:
      return [];
  }
}
