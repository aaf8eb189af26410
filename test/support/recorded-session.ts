import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { SessionRecorder } from "../../src/recording.js";

export async function sessionInMemory() {
  const source = createInMemoryInspectorDataSource();
  const errors: string[] = [];
  const recorder = new SessionRecorder(source.sessionStore, {
    onError: ({ message }) => errors.push(message),
  });
  const open = () => recorder.open({ sessionId: "s1" });
  const session = await open();
  return {
    session,
    open,
    errors,
    onError: ({ message }: Error) => errors.push(message),
    async events() {
      await recorder.flush();
      return (await source.loadTraceEnvelopes("default", "s1")).map(({ event }) => event);
    },
    async messages() {
      await recorder.flush();
      return source.loadMessages("default", "s1");
    },
    async listed() {
      await recorder.flush();
      return (await source.listSessions())[0]!;
    },
  };
}
