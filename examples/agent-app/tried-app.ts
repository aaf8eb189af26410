import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type {
  InspectorSessionItem,
  Message,
  OrchestrationAgent,
  WorkflowTraceEventEnvelope,
} from "agent-inspector";
import { MockLanguageModelV3 } from "ai/test";
import { createApp } from "./app.js";
import { scriptedModel } from "./scripted-model.js";

/** The application on a temporary folder for tests: chats with it, and reads its records over HTTP. */
export async function tryApp() {
  const root = await mkdtemp(path.join(tmpdir(), "agent-app-test-"));
  const dataDir = path.join(root, "data");
  const reported: number[] = [];
  const app = createApp({
    dataDir,
    folder: await writeNotes(root),
    model: observedModel((tokens) => reported.push(tokens)),
    contextTokens: 600,
  });

  async function inspect<T>(resource: string): Promise<T> {
    const response = await app.request(`/__inspector${resource}`);
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
    return (await response.json()) as T;
  }
  const ofSession = (sessionId: string, resource: string) =>
    `/sessions/${sessionId}/${resource}?tenantId=acme`;

  return {
    dataDir,
    /** Input and output tokens of every model call. */
    reported: reported as readonly number[],
    close: () => rm(root, { recursive: true, force: true }),
    async chat(body: object) {
      const headers = { "Content-Type": "application/json" };
      const response = await app.request("/chat", { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: (await response.json()) as Record<string, string> };
    },
    health: () => inspect("/health"),
    async session(id: string) {
      const { sessions } = await inspect<{ sessions: InspectorSessionItem[] }>("/sessions");
      return sessions.find(({ sessionId }) => sessionId === id);
    },
    trace: async (id: string) =>
      (await inspect<{ envelopes: WorkflowTraceEventEnvelope[] }>(ofSession(id, "trace"))).envelopes,
    agents: async (id: string) =>
      (await inspect<{ agents: OrchestrationAgent[] }>(ofSession(id, "orchestration"))).agents,
    messages: async (id: string) =>
      (await inspect<{ messages: Message[] }>(ofSession(id, "messages"))).messages,
  };
}

/** The script with a report of its tokens. On request it fails as a provider does. */
function observedModel(report: (tokens: number) => void): MockLanguageModelV3 {
  const script = scriptedModel();
  return new MockLanguageModelV3({
    modelId: script.modelId,
    doGenerate: async (options) => {
      const last = JSON.stringify(options.prompt.at(-1));
      if (last.includes("break down")) throw new Error("The provider is down");
      const result = await script.doGenerate(options);
      report((result.usage.inputTokens.total ?? 0) + (result.usage.outputTokens.total ?? 0));
      return result;
    },
  });
}

async function writeNotes(root: string): Promise<string> {
  const folder = path.join(root, "notes");
  await mkdir(folder);
  await writeFile(path.join(root, "secret.txt"), "nobody may read this");
  const plan = `# Plan\nBuild the inspector.\n${"More of the plan. ".repeat(40)}\n`;
  await writeFile(path.join(folder, "plan.md"), plan);
  await writeFile(path.join(folder, "todo.md"), "- test the inspector\n");
  await symlink(path.join(root, "secret.txt"), path.join(folder, "link.txt"));
  return folder;
}
