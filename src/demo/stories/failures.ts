import { Actor, use } from "../actor.js";
import { conversation } from "../conversation.js";
import { DAY, HOUR, MINUTE, type Story } from "../scene.js";

const overloaded: Story = {
  tenantId: "acme",
  agentId: "coding-agent",
  userId: "ada@acme.example",
  title: "Generate release notes for 4.2",
  endedAgoMs: 31 * MINUTE,
  record(scene) {
    const agent = new Actor(scene);
    const failed = "529 overloaded_error: Overloaded (after 3 attempts)";
    agent.turn(
      "Write the release notes for 4.2 from the commits since 4.1.",
      () => {
        const log = "a1f09c2 Add bulk export\n77be012 Mend the midnight bug\n3c9d4e1 Drop Node 18";
        agent.answer(use("run", { command: "git log 4.1..HEAD --oneline" }, log, 60));
        for (const [i, delayMs] of [1_000, 4_000, 0].entries()) {
          const callId = scene.id("call");
          agent.record({ type: "llm.start", callId, model: agent.model });
          agent.wait(2_200);
          agent.record({
            type: "llm.end",
            callId,
            model: agent.model,
            stopReason: "error",
            error: { message: "529 overloaded_error: Overloaded" },
          });
          const retry = { type: "acme.retry.scheduled", attempt: i + 1, delayMs, reason: "overloaded" };
          if (delayMs > 0) agent.record(retry);
          agent.wait(delayMs);
        }
      },
      { failed },
    );
  },
};

const ops = { tenantId: "default", agentId: "ops-agent", userId: "oncall" } as const;

const contextTooLong = conversation({ ...ops, title: "Explain last night's outage", endedAgoMs: 9 * HOUR }, [
  {
    user: "Read /var/log/app.log and tell me what happened at 02:14.",
    answers: [
      use(
        "read_file",
        { path: "/var/log/app.log" },
        "02:14:07 WARN pool exhausted (50/50)\n02:14:09 ERROR request timed out after 30000 ms\n… 48,112 more lines",
        900,
        { tokens: 182_000 },
      ),
    ],
    failed: "400 invalid_request_error: prompt is too long: 204,118 tokens > 200,000 maximum",
  },
]);

const toolThatThrows = conversation({ ...ops, title: "Restart the queue workers", endedAgoMs: 2 * DAY }, [
  {
    user: "Restart the queue workers in staging.",
    answers: [
      use(
        "kubectl",
        { args: ["rollout", "restart", "deploy/worker", "-n", "staging"] },
        'Error from server (Forbidden): deployments.apps "worker" is forbidden: User "agent" cannot patch resource',
        640,
        { isError: true },
      ),
      "I may not do that: the account `agent` has no permission to patch deployments in `staging`. Someone with the role `deployer` can run\n\n```sh\nkubectl rollout restart deploy/worker -n staging\n```",
    ],
  },
]);

export const FAILURE_STORIES: readonly Story[] = [overloaded, contextTooLong, toolThatThrows];
