import { Actor, type ScriptedCall } from "../actor.js";
import { HOUR } from "../ago.js";
import type { Story } from "../scene.js";
import { delegation } from "../sub-agent.js";

/** Reviewers at work at the same time: two report, one fails, one is called off. */
export const review: Story = {
  tenantId: "acme",
  agentId: "coding-agent",
  userId: "grace@acme.example",
  title: "Review pull request 812: new session store",
  endedAgoMs: 6 * HOUR,
  record(scene) {
    const lead = new Actor(scene);
    lead.turn("Review pull request 812. Security and correctness first.", () => {
      lead.answer({
        calls: [
          {
            name: "run",
            input: { command: "git diff main...pr-812 --stat" },
            output:
              " src/store.ts | 214 +++++++\n src/lock.ts  |  38 ++\n 2 files changed, 252 insertions(+)",
            ms: 95,
          },
        ],
      });
      lead.answer({
        text: "Four reviewers, each with one question.",
        calls: [security(), correctness(), performance(), style()],
      });
      lead.answer({
        text: "## Review of #812\n\n- **Must change**: `store.ts:88` joins a session id from the request into a path.\n- **Must change**: `lock.ts:21` releases the lock before the rename.\n- Performance was not measured: the benchmark needs a database that this machine does not have.",
      });
    });
  },
};

function reviewer(
  name: string,
  task: string,
  ending: Pick<Parameters<typeof delegation>[0], "outcome" | "error" | "act">,
): ScriptedCall {
  return delegation({
    agentId: `reviewer-${name}`,
    role: "reviewer",
    displayName: `Reviewer (${name})`,
    task,
    ...ending,
  });
}

function security(): ScriptedCall {
  return reviewer("security", "Which input reaches the file system?", {
    act(agent) {
      agent.answer({
        calls: [
          {
            name: "read_file",
            input: { path: "src/store.ts", from: 70, to: 110 },
            output:
              "88  const folder = path.join(root, request.params.sessionId);\n89  await mkdir(folder, { recursive: true });",
            ms: 9,
            tokens: 1_200,
          },
        ],
      });
      const text = "`store.ts:88`: a session id of `../../etc` leaves the folder.";
      agent.answer({
        thinking: "The id comes from the request and is not checked anywhere on its way.",
        text,
      });
      return text;
    },
  });
}

function correctness(): ScriptedCall {
  return reviewer("correctness", "Can two writers lose a record?", {
    act(agent) {
      agent.answer({
        calls: [
          {
            name: "read_file",
            input: { path: "src/lock.ts" },
            output:
              "19  await write(temporary, text);\n20  lock.release();\n21  await rename(temporary, file);",
            ms: 8,
            tokens: 640,
          },
        ],
      });
      agent.answer({
        calls: [
          {
            name: "run",
            input: { command: "npx vitest run lock --repeat 500" },
            output: "✗ 3 of 500 runs lost a record",
            isError: true,
            ms: 9_400,
          },
        ],
      });
      const text = "Yes, 3 of 500 runs: the lock is released before the rename (`lock.ts:20`).";
      agent.answer({ text });
      return text;
    },
  });
}

function performance(): ScriptedCall {
  return reviewer("performance", "Is it slower than the old store?", {
    outcome: "failed",
    error: "connect ECONNREFUSED 127.0.0.1:5432",
    act(agent) {
      agent.answer({
        calls: [
          {
            name: "run",
            input: { command: "npm run bench" },
            output: "Error: connect ECONNREFUSED 127.0.0.1:5432",
            isError: true,
            ms: 1_900,
          },
        ],
      });
      agent.answer({ text: "The benchmark needs a database that does not run here." });
      return "";
    },
  });
}

function style(): ScriptedCall {
  return reviewer("style", "Does it follow the house style?", {
    outcome: "cancelled",
    error: "Called off: the other findings come first",
    act(agent) {
      agent.answer({
        calls: [
          {
            name: "run",
            input: { command: "npx biome check src/store.ts" },
            output: "Checked 1 file. No fixes applied.",
            ms: 420,
          },
        ],
      });
      return "";
    },
  });
}
