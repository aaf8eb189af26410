import path from "node:path";
import {
  called,
  entry,
  fileOf,
  header,
  lines,
  result,
  said,
  usage,
  user,
} from "../../pi/support/sessions.js";
import { type InventedHistory, STORY, TORN } from "./history.js";

const COUNTED =
  lines(
    header("count"),
    user("e1", null, 1, STORY.first),
    called("e2", "e1", 3, "c1"),
    result("e3", "e2", 4, "c1", "1 2 3 4 5 6 7"),
    said("e4", "e3", 6, STORY.seven),
  ) +
  TORN +
  lines(
    user("e5", "e4", 8, STORY.second),
    called("e6", "e5", 10, "c2"),
    result("e7", "e6", 11, "c2", "No such file", { isError: true }),
    said("e8", "e7", 13, STORY.none),
  );

const COMPACTED = lines(
  header("compacted"),
  user("e1", null, 1, STORY.task),
  said("e2", "e1", 3, STORY.three),
  entry("compaction", "e3", "e2", 5, {
    summary: "Three pens.",
    firstKeptEntryId: "e2",
    tokensBefore: 90,
    usage: usage(20, 5),
  }),
);

const SESSIONS: InventedHistory["sessions"] = [
  {
    tenantId: "-srv-shop",
    sessionId: "count",
    title: STORY.first,
    model: "m-1",
    lastAnswer: STORY.none,
    turns: ["completed", "completed"],
    // Each call counts 10 input, 3 output, 5 of a cache, and 2 that it wrote to one.
    calls: 4,
    tokens: [40, 12, 20, 8],
    tools: { bash: 2 },
    failedTools: 1,
    errors: 1,
    messages: 8,
    warnings: [`${path.basename(fileOf("count"))}:6`],
  },
  {
    tenantId: "-srv-shop",
    sessionId: "compacted",
    title: STORY.task,
    model: "m-1",
    lastAnswer: STORY.three,
    turns: ["completed"],
    // The answer, and the summary of the compaction: 10 + 20 and 3 + 5.
    calls: 2,
    tokens: [30, 8, 10, 4],
    tools: {},
    failedTools: 0,
    errors: 0,
    compactions: 1,
    // The prompt, the answer, and the entry of the compaction.
    messages: 3,
  },
];

export const PI: InventedHistory = {
  kind: "pi",
  files: { [fileOf("count")]: COUNTED, [fileOf("compacted", 20)]: COMPACTED },
  sessions: SESSIONS,
};

/** OpenClaw stores the sessions of each agent in a folder, beside a list of them. */
const AGENT = "main/sessions";

export const OPENCLAW: InventedHistory = {
  kind: "openclaw",
  inside: ["main", AGENT],
  files: {
    [`${AGENT}/count.jsonl`]: COUNTED,
    [`${AGENT}/compacted.jsonl`]: COMPACTED,
    [`${AGENT}/sessions.json`]: JSON.stringify({ "agent:main:main": { sessionId: "count" } }),
  },
  sessions: SESSIONS.map((session) =>
    session.warnings === undefined ? session : { ...session, warnings: ["sessions/count.jsonl:6"] },
  ),
};
