import type { Actor } from "./actor.js";

/** The conversation got too long: the model sums it up, and goes on from there. */
export function compact(agent: Actor, summary: string): void {
  const tokensBefore = agent.context.tokens;
  agent.record({ type: "compaction.start", trigger: "context_length", tokensBefore });
  agent.callModel([{ type: "text", text: summary }], "end_turn");
  const messages = [{ role: "user", content: `[Summary of the conversation so far]\n${summary}` }];
  agent.context.replace(messages);
  agent.scene.timeline.cue(agent.at, ({ session }) => session.compactMessages(messages));
  agent.record({ type: "compaction.end", tokensBefore, tokensAfter: agent.context.tokens });
}
