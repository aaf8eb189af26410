import { expect, it, onTestFinished } from "vitest";
import { SessionRecorder } from "../../src/application/recording/session-recorder.js";
import type { ContractStore } from "../contract/index.js";
import { sized } from "./soak.js";

/** More than a recorder writes at a time, so that some sessions have to wait. */
const SESSIONS = sized(40, 300);

const RECORDERS = [
  ["with `onError`", { onError: () => undefined }],
  ["without `onError`", {}],
] as const;

export function describeBursts(createStore: () => ContractStore | Promise<ContractStore>): void {
  const inEach = (work: (i: number) => Promise<void>) =>
    Promise.all(Array.from({ length: SESSIONS }, (_, i) => work(i)));
  const open = async (options: object) => {
    const { store, source } = await createStore();
    onTestFinished(async () => {
      await store.close?.();
      await source.close?.();
    });
    return { recorder: new SessionRecorder(store, options), source };
  };

  it.each(RECORDERS)(`lists the error of each of ${SESSIONS} sessions in a burst, %s`, async (_, options) => {
    const { recorder, source } = await open(options);
    await inEach(async (i) => {
      const session = await recorder.open({ userId: `user-${i}`, title: "Question" });
      session.startTrace().record({ type: "error", error: { message: "overloaded" } });
      session.recordTurn({ inputTokens: i });
    });
    expect(await recorder.flush()).toEqual({ lost: 0, waiting: 0 });
    const listed = await source.listSessions();
    const shown = listed.map(({ userId, title, errors, turns, tokens }) => ({
      userId,
      title,
      errors,
      turns,
      tokens,
    }));
    expect(shown.sort((a, b) => a.tokens - b.tokens)).toEqual(
      Array.from({ length: SESSIONS }, (_, i) => {
        return { userId: `user-${i}`, title: "Question", errors: 1, turns: 1, tokens: i };
      }),
    );
  });

  it.each(RECORDERS)(
    `lists the title that ${SESSIONS} sessions get when they are open, %s`,
    async (_, options) => {
      const { recorder, source } = await open(options);
      await inEach(async (i) => {
        const session = await recorder.open({ title: "First" });
        session.setTitle(`Title ${i}`);
      });
      await recorder.flush();
      const titles = (await source.listSessions()).map(({ title }) => title);
      expect(titles.sort()).toEqual(Array.from({ length: SESSIONS }, (_, i) => `Title ${i}`).sort());
    },
  );
}
