/**
 * `npm run bench:mcp -- --from 2026-02-01 --to 2026-03-01 --file router.ex FOLDER…`: five questions of a coding agent, through the
 * official client; each call uses the previous answer. It prints calls and characters for each, and the size of the tool definitions.
 */
import path from "node:path";
import { parseArgs } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";

const MAIN = path.resolve(import.meta.dirname, "../dist/src/composition/main.js");

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    from: { type: "string", default: "30d" },
    to: { type: "string" },
    file: { type: "string", default: "README.md" },
    answers: { type: "boolean", default: false },
  },
});

const client = new Client({ name: "mcp-questions", version: "1" });
await client.connect(
  new StdioClientTransport({
    command: process.execPath,
    args: [MAIN, "mcp", ...positionals],
    stderr: "inherit",
  }),
);

let calls = 0;
let characters = 0;

async function call(name: string, input: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: input });
  const text = (content as readonly { readonly text: string }[]).map((part) => part.text).join("");
  if (isError) throw new Error(`${name}: ${text}`);
  calls++;
  characters += text.length;
  if (values.answers) process.stdout.write(`${name} ${JSON.stringify(input)}\n${text}\n\n`);
  return text;
}

/** @throws Error if the answer lacks it: then an agent would miss it, too */
function matchIn(answer: string, what: RegExp): string {
  const match = what.exec(answer)?.[1];
  if (match === undefined) throw new Error(`${what} is not in the answer:\n${answer}`);
  return match;
}

const SESSION = /^(s-[0-9a-f]{10})/m;
const { file } = values;
const range = { filter: `after:${values.from}${values.to === undefined ? "" : ` before:${values.to}`}` };
let session = "";

const QUESTIONS: Readonly<Record<string, () => Promise<unknown>>> = {
  "Which session cost most, and why?": async () => {
    session = matchIn(await call("list_sessions", { ...range, sort: "cost", limit: 5 }), SESSION);
    await call("session_summary", { session, about: "cost" });
  },
  "Who touched this file?": async () => {
    const editor = matchIn(await call("list_sessions", { filter: `edited:${file}` }), SESSION);
    await call("search", { session: editor, query: file, in: ["input"] });
  },
  "What did the model know at that edit?": async () => {
    const hits = await call("search", { session, query: file, in: ["input"], limit: 10 });
    await call("context_at_call", { session, at: matchIn(hits, /^(\d+) input /m) });
  },
  "Where did it fail?": async () => {
    const failures = await call("session_summary", { session, about: "failures" });
    await call("trace_slice", { session, at: matchIn(failures, /(e-[0-9a-f]{8})/), limit: 2, texts: true });
  },
  "Did it repeat itself?": () => call("session_summary", { session, about: "repeats" }),
  "What are these 33 sessions?": () => call("list_sessions", { limit: 33 }),
};

const rows: string[] = [];
for (const [question, ask] of Object.entries(QUESTIONS)) {
  [calls, characters] = [0, 0];
  await ask();
  rows.push(`| ${question} | ${calls} | ${characters.toLocaleString("en")} |`);
}
const { tools } = await client.listTools();
await client.close();
process.stdout.write(`| Question | Calls | Characters |\n|---|---:|---:|\n${rows.join("\n")}\n`);
process.stdout.write(
  `\nDefinitions of ${tools.length} tools: ${JSON.stringify(tools).length.toLocaleString("en")} characters.\n`,
);
