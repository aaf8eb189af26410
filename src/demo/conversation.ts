import { Actor, type ScriptedAnswer } from "./actor.js";
import type { Story } from "./scene.js";

/** A turn of a conversation: the user's prompt, and what the model answers until it is done. */
export interface Exchange {
  readonly user: unknown;
  readonly answers: readonly (ScriptedAnswer | string)[];
  /** Time that the user took to write it. Default is 0. */
  readonly afterMs?: number;
  /** Why the turn ended in an error. */
  readonly failed?: string;
}

/** A story without surprises: one agent, turn by turn. */
export function conversation(
  about: Omit<Story, "record">,
  exchanges: readonly Exchange[],
  model = "claude-haiku-4-5",
): Story {
  return {
    ...about,
    record(scene) {
      const agent = new Actor(scene, 0, undefined, model);
      for (const { user, answers, afterMs = 0, failed } of exchanges) {
        agent.wait(afterMs);
        agent.turn(
          user,
          () => {
            for (const answer of answers) agent.answer(answer);
          },
          failed === undefined ? {} : { failed },
        );
      }
    },
  };
}
