import { Actor, type ScriptedAnswer } from "./actor.js";
import type { Story } from "./scene.js";

export interface Exchange {
  readonly user: unknown;
  readonly answers: readonly (ScriptedAnswer | string)[];
  readonly afterMs?: number;
  readonly failed?: string;
}

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
