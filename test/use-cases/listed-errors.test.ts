import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { createFilesystemInspectorDataSource } from "../../src/advanced.js";
import { createClaudeCodeDataSource } from "../../src/claude-code.js";
import { createCodexDataSource } from "../../src/codex.js";
import type { JsonObject } from "../../src/domain/json.js";
import { createGeminiCliDataSource } from "../../src/gemini-cli.js";
import type { InspectorDataSource, InspectorSessionItem } from "../../src/index.js";
import { type EventFacts, readEventFacts } from "../../ui/src/model/event-facts.js";
import { traceModel } from "../../ui/src/model/trace-model.js";
import { inspect } from "../support/inspector.js";

/** Real histories lie beside the repository, not in it. `AGENT_INSPECTOR_SHARED` names another place. */
const SHARED = process.env.AGENT_INSPECTOR_SHARED ?? path.resolve(import.meta.dirname, "../../../shared");
const DATA = path.join(SHARED, "data");
const HAS_DATA = existsSync(DATA);
const WITHOUT_DATA = HAS_DATA ? "" : " (skipped: the real histories in ../shared/data are not here)";

const OPTIONS = { threads: false } as const;
const OPENERS = {
  "claude-code": (folder: string) => createClaudeCodeDataSource(path.join(folder, "projects"), OPTIONS),
  codex: (folder: string) => createCodexDataSource(folder, OPTIONS),
  "gemini-cli": (folder: string) => createGeminiCliDataSource(folder, OPTIONS),
  agentrail: (folder: string) => createFilesystemInspectorDataSource(folder, OPTIONS),
};

function histories(): [name: string, open: () => InspectorDataSource][] {
  if (!HAS_DATA) return [];
  return Object.entries(OPENERS).flatMap(([tool, open]) =>
    readdirSync(path.join(DATA, tool)).map((name): [string, () => InspectorDataSource] => [
      `${tool} ${name}`,
      () => open(path.join(DATA, tool, name)),
    ]),
  );
}

describe.skipIf(!HAS_DATA)(`errors in the list of real histories${WITHOUT_DATA}`, () => {
  it.each(histories())("are those that the page counts in the trace: %s", async (_, open) => {
    const source = open();
    const listed = new Map<string, number>();
    const counted = new Map<string, number>();
    for (const item of await source.listSessions()) {
      if (item.errors === undefined) continue;
      const place = `${item.tenantId} ${item.sessionId}`;
      listed.set(place, item.errors);
      counted.set(place, await errorsInTrace(source, item));
    }
    await source.close?.();
    expect(listed).toEqual(counted);
  });
});

/** As the page counts them: the trace as it is served, and the agents beside it. */
async function errorsInTrace(source: InspectorDataSource, item: InspectorSessionItem): Promise<number> {
  const inspector = inspect(source);
  const read = async (list: string): Promise<JsonObject> => {
    const session = `${item.sessionId}/${list}?tenantId=${encodeURIComponent(item.tenantId)}`;
    return (await (await inspector.open(`/sessions/${session}`)).json()) as JsonObject;
  };
  const { envelopes } = (await read("trace")) as { envelopes: JsonObject[] };
  const { agents } = (await read("orchestration")) as { agents: { agentId: string }[] };
  const events: EventFacts[] = [];
  for (const [index, envelope] of envelopes.entries())
    events.push(readEventFacts(envelope, index, events.at(-1)?.at ?? 0));
  return traceModel(events, new Set(agents.map(({ agentId }) => agentId))).totals.errors;
}
