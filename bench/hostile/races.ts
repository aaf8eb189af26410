/**
 * `npm run bench:races`: changes files under the readers of a running service, in each way and for each format. It fails on a complete
 * answer that does not parse, on a 500, and on content from outside of the folder. `--seconds N` for each way (default 60), `--only WAY`
 * tries one of them.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { ServerProcess } from "../measure.js";

const WAYS = ["copied", "renamed", "cut", "deleted", "rewritten", "linked"] as const;
type Way = (typeof WAYS)[number];

/** Only files outside of the folder contain it. */
const MARKER = "lies-outside";

/** Concurrent requests. */
const READERS = 6;

interface Format {
  readonly name: "data-directory" | "claude-code";
  readonly session: string;
  /** Files that change, below the folder: one for each writer. */
  readonly files: readonly string[];
  /** Links replace these. */
  readonly linked: readonly string[];
}

const FORMATS: readonly Format[] = [
  {
    name: "data-directory",
    session: "s1",
    files: ["trace/events.jsonl", "messages.jsonl"].map((name) => `tenants/t/sessions/s1/${name}`),
    linked: ["tenants/t/sessions/s1/messages.jsonl", "tenants/t/sessions/s1/trace"],
  },
  {
    name: "claude-code",
    session: "s1",
    files: ["t/s1.jsonl", "t/s1/subagents/agent-a.jsonl"],
    linked: ["t/s1.jsonl", "t/s1/subagents"],
  },
];

const PATHS = ({ session }: Format) => [
  `/sessions/${session}/trace?tenantId=t`,
  `/sessions/${session}/messages?tenantId=t`,
  `/sessions/${session}/orchestration?tenantId=t`,
  "/sessions",
];

class Counts {
  readonly statuses = new Map<number, number>();
  complete = 0;
  brokenOff = 0;
  unparsable = 0;
  outside = 0;

  get hasFailed(): boolean {
    return this.unparsable > 0 || this.outside > 0 || (this.statuses.get(500) ?? 0) > 0;
  }

  toString(): string {
    const statuses = [...this.statuses].sort().map(([status, count]) => `${status}: ${count}`);
    return (
      `${this.complete} complete (${statuses.join(", ")}), ${this.brokenOff} broken off, ` +
      `${this.unparsable} that do not parse, ${this.outside} from outside`
    );
  }
}

const { values } = parseArgs({
  options: { seconds: { type: "string", default: "60" }, only: { type: "string" } },
});
for (const format of FORMATS) {
  for (const way of WAYS) {
    if (values.only !== undefined && values.only !== way) continue;
    const counts = await race(format, way, Number(values.seconds) * 1_000);
    console.log(`${format.name}, ${way}: ${counts}`);
    if (counts.hasFailed) process.exitCode = 1;
  }
}

async function race(format: Format, way: Way, ms: number): Promise<Counts> {
  const root = mkdtempSync(path.join(tmpdir(), "agent-inspector-races-"));
  const [inside, outside] = [path.join(root, "inside"), path.join(root, "outside")];
  writeAll(inside, format, "inside");
  writeAll(outside, format, MARKER);
  const service = await ServerProcess.start("service", format.name, inside);
  const changed = way === "linked" ? format.linked : format.files;
  const script = path.join(import.meta.dirname, "../processes/changing-writer.mjs");
  const writers = changed.map((file) =>
    fork(script, [way, format.name, path.join(inside, file), path.join(outside, file)], {
      execArgv: [],
    }),
  );
  const counts = new Counts();
  const until = performance.now() + ms;
  const paths = PATHS(format);
  const read = async (_: unknown, reader: number) => {
    for (let i = reader; performance.now() < until; i++) {
      await ask(`${service.base}/__inspector${paths[i % paths.length]}`, counts);
    }
  };
  await Promise.all(Array.from({ length: READERS }, read));
  for (const writer of writers) {
    const gone = once(writer, "exit");
    writer.disconnect();
    await gone;
  }
  await service.stop();
  rmSync(root, { recursive: true });
  return counts;
}

function writeAll(folder: string, { name, files }: Format, word: string): void {
  const [records, agent] =
    name === "data-directory"
      ? [{ role: "user", content: word, traceId: word, sequence: 0, event: { type: word } }, {}]
      : [
          {
            type: "user",
            uuid: word,
            timestamp: "2026-01-15T12:00:00.000Z",
            message: { role: "user", content: word },
          },
          { agentId: "a" },
        ];
  for (const [i, file] of files.entries()) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), `${JSON.stringify({ ...records, ...(i === 0 ? {} : agent) })}\n`);
  }
}

async function ask(url: string, counts: Counts): Promise<void> {
  const response = await fetch(url);
  counts.statuses.set(response.status, (counts.statuses.get(response.status) ?? 0) + 1);
  let text: string;
  try {
    text = await response.text();
  } catch {
    counts.brokenOff++;
    return;
  }
  counts.complete++;
  if (text.includes(MARKER)) counts.outside++;
  try {
    JSON.parse(text);
  } catch {
    counts.unparsable++;
  }
}
