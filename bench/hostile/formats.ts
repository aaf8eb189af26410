import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { writeDemoDirectory } from "./demo-directory.js";

export interface History {
  readonly sessionId: string;
  /** Below the folder of {@link HostileFormat.write}. */
  readonly folder: string;
}

export interface HostileFormat {
  readonly name: string;
  /** Name of the source in the measured service. */
  readonly source: "data-directory" | "claude-code";
  /** It contains a folder for each tenant. */
  readonly tenants: string;
  write(folder: string): Promise<readonly History[]>;
  /** Place for a history's files, so that they are a session of the tenant. */
  placeOf(tenantId: string, history: History): string;
  /** Lines with a record that no answer has, as file and number. */
  lostLines(place: string, answers: Readonly<Record<string, unknown>>): Promise<string[]>;
}

interface ListAnswer {
  readonly warnings?: readonly { readonly file: string; readonly line: number }[];
}

interface TraceAnswer extends ListAnswer {
  readonly envelopes?: readonly {
    readonly source: string;
    readonly event: {
      readonly stored?: { readonly file: string; readonly line: number };
      readonly replayed?: number;
    };
  }[];
}

interface MessagesAnswer extends ListAnswer {
  readonly messages?: readonly unknown[];
}

const DATA_DIRECTORY: HostileFormat = {
  name: "data directory",
  source: "data-directory",
  tenants: "tenants",
  async write(folder) {
    await writeDemoDirectory(folder);
    const sessions = await readdir(folder, { recursive: true });
    return sessions
      .filter((file) => path.basename(file) === "session.jsonl")
      .sort()
      .map((file) => ({
        sessionId: path.basename(path.dirname(file)),
        folder: path.dirname(file),
      }));
  },
  placeOf: (tenantId, { sessionId }) => path.join("tenants", tenantId, "sessions", sessionId),
  async lostLines(place, { trace, messages }) {
    const { envelopes = [], warnings = [] } = (trace ?? {}) as TraceAnswer;
    const { messages: sent = [], warnings: unsent = [] } = (messages ?? {}) as MessagesAnswer;
    const runtime = envelopes.filter(({ source }) => source !== "orchestration").length;
    const visible = new Map([
      ["trace/events.jsonl", runtime],
      ["orchestration/events.jsonl", envelopes.length - runtime],
      ["messages.jsonl", sent.length],
    ]);
    for (const { file } of [...warnings, ...unsent]) {
      const count = visible.get(file);
      if (count !== undefined) visible.set(file, count + 1);
    }
    const lost: string[] = [];
    for (const [file, count] of visible) {
      const missing = (await validLines(path.join(place, file))).length - count;
      if (missing > 0) lost.push(`${missing} lines of ${file}`);
    }
    return lost;
  },
};

const CLAUDE_CODE: HostileFormat = {
  name: "Claude Code",
  source: "claude-code",
  tenants: ".",
  async write(folder) {
    const samples = path.resolve(import.meta.dirname, "../../test/claude-code/fixtures/samples");
    const histories: History[] = [];
    for (const project of await readdir(samples)) {
      for (const file of await readdir(path.join(samples, project))) {
        if (!file.endsWith(".jsonl") || file.startsWith("agent-")) continue;
        const sessionId = path.basename(file, ".jsonl");
        const own = path.join(folder, sessionId);
        await cp(path.join(samples, project, file), path.join(own, file));
        const agents = path.join(samples, project, sessionId);
        if (existsSync(agents)) await cp(agents, path.join(own, sessionId), { recursive: true });
        histories.push({ sessionId, folder: sessionId });
      }
    }
    return histories;
  },
  placeOf: (tenantId) => tenantId,
  async lostLines(place, { trace }) {
    const { envelopes = [], warnings = [] } = (trace ?? {}) as TraceAnswer;
    const reported = new Set(warnings.map(({ file, line }) => `${path.basename(file)}:${line}`));
    let replayed = 0;
    for (const { event } of envelopes) {
      if (event.stored !== undefined)
        reported.add(`${path.basename(event.stored.file)}:${event.stored.line}`);
      replayed += event.replayed ?? 0;
    }
    const lost: string[] = [];
    for (const file of await readdir(place, { recursive: true })) {
      if (!file.endsWith(".jsonl") || path.basename(file) === "journal.jsonl") continue;
      for (const line of await validLines(path.join(place, file))) {
        if (!reported.has(`${path.basename(file)}:${line}`)) lost.push(`${file}:${line}`);
      }
    }
    return lost.length > replayed ? lost : [];
  },
};

export const FORMATS: readonly HostileFormat[] = [DATA_DIRECTORY, CLAUDE_CODE];

/** A record is any JSON, after replacement of invalid UTF-8. A last line without line feed counts only if it is complete. */
async function validLines(file: string): Promise<number[]> {
  if (!existsSync(file)) return [];
  const lines = (await readFile(file, "utf8")).split("\n");
  return lines.flatMap((line, i) => {
    try {
      const value: unknown = JSON.parse(line);
      return i + 1 < lines.length || typeof value === "object" ? [i + 1] : [];
    } catch {
      return [];
    }
  });
}
