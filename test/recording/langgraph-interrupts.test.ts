import { Document } from "@langchain/core/documents";
import { BaseRetriever } from "@langchain/core/retrievers";
import { Annotation, Command, END, interrupt, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import { describe, expect, it } from "vitest";
import { createInMemoryInspectorDataSource } from "../../src/advanced.js";
import { InspectorCallbackHandler } from "../../src/langchain.js";
import { RunRecorder } from "../../src/recording.js";

const State = Annotation.Root({
  text: Annotation<string>({ reducer: (a, b) => `${a}${b}`, default: () => "" }),
});
type Node = () => { readonly text: string };

const asking: Node = () => ({ text: String(interrupt("May I?")) });
const plain: Node = () => ({ text: "done" });

function graphOf(
  nodes: Readonly<Record<string, Node | ReturnType<typeof nestedGraph>>>,
  options: object = {},
) {
  const graph = new StateGraph(State) as StateGraph<typeof State.spec, unknown, unknown, string>;
  for (const [name, node] of Object.entries(nodes)) {
    graph.addNode(name, node as Node);
    graph.addEdge(START, name).addEdge(name, END);
  }
  return graph.compile({ checkpointer: new MemorySaver(), ...options });
}

function nestedGraph(node: Node) {
  const graph = new StateGraph(State).addNode("ask", node).addEdge(START, "ask").addEdge("ask", END);
  return graph.compile({ name: "asker" });
}

function recorded(graph: ReturnType<typeof graphOf>) {
  const source = createInMemoryInspectorDataSource();
  const errors: unknown[] = [];
  let recorder: RunRecorder;
  let config: object;
  /** Continues like a new process, without earlier records. */
  const restart = () => {
    recorder = new RunRecorder(source.sessionStore, { onError: (error) => errors.push(error) });
    const callbacks = [new InspectorCallbackHandler(recorder)];
    config = { callbacks, configurable: { thread_id: "s1" } };
  };
  restart();
  return {
    restart,
    async invoke(input: { readonly text: string } | Command | null) {
      await graph.invoke(input as never, config);
      await recorder.flush();
      expect(errors).toEqual([]);
      const sessions = await source.listSessions();
      expect(sessions).toHaveLength(1);
      const { status, waitingFor, turns, lastAnswer } = sessions[0]!;
      const events = (await source.loadTraceEnvelopes("default", "s1")).map(({ event }) => event);
      const ends = events.filter(({ type, agentId }) => type === "turn.end" && agentId === undefined);
      return { status, waitingFor, turns, lastAnswer, events, ends };
    },
  };
}

describe("a LangGraph graph that waits for a person", () => {
  it.each([false, true])("is waiting until it is resumed, by another process: %s", async (isRestarted) => {
    const { invoke, restart } = recorded(graphOf({ ask: asking }));
    const first = await invoke({ text: "Hi" });
    expect(first).toMatchObject({ status: "waiting", waitingFor: "May I?" });
    expect(first.ends).toMatchObject([{ outcome: "waiting" }]);
    expect(first.ends[0]).not.toHaveProperty("output");
    expect(first.events.at(-1)).toMatchObject({ type: "input.waiting", prompt: "May I?" });
    if (isRestarted) restart();
    const resumed = await invoke(new Command({ resume: "Yes" }));
    expect(resumed).toMatchObject({ status: "idle", turns: 2 });
    expect(resumed.waitingFor).toBeUndefined();
    expect(resumed.ends).toMatchObject([{ outcome: "waiting" }, { outcome: "completed" }]);
    expect(resumed.events.filter(({ type }) => type === "turn.start").at(-1)).toMatchObject({ input: "Yes" });
  });

  it("is waiting again where another prompt meets the same interrupt", async () => {
    const { invoke } = recorded(graphOf({ plain }, { interruptBefore: ["plain"] }));
    expect((await invoke({ text: "Hi" })).status).toBe("waiting");
    expect(await invoke({ text: "Stop" })).toMatchObject({ status: "waiting" });
    expect(await invoke(null)).toMatchObject({ status: "idle" });
  });

  it("is waiting where a graph in it waits", async () => {
    const { invoke } = recorded(graphOf({ nested: nestedGraph(asking) }));
    const first = await invoke({ text: "Hi" });
    expect(first).toMatchObject({ status: "waiting", waitingFor: "May I?" });
    const nested = first.events.find(({ type, agentId }) => type === "turn.end" && agentId !== undefined);
    expect(nested).toMatchObject({ outcome: "waiting" });
    expect(first.events.filter(({ type }) => type === "input.waiting")).toHaveLength(1);
    expect(await invoke(new Command({ resume: "Yes" }))).toMatchObject({ status: "idle" });
  });

  it("asks all questions of parallel branches, and continues to wait for those without an answer", async () => {
    const graph = graphOf({
      one: () => ({ text: String(interrupt({ question: "One?" })) }),
      two: () => ({ text: String(interrupt({ action: "two" })) }),
      plain,
    });
    const { invoke } = recorded(graph);
    const first = await invoke({ text: "Hi" });
    expect(first.status).toBe("waiting");
    expect(first.events.at(-1)).toMatchObject({ prompt: 'One?\n{"action":"two"}' });
    const state = await graph.getState({ configurable: { thread_id: "s1" } });
    const [one, two] = state.tasks.flatMap(({ interrupts }) => interrupts.map(({ id }) => id!));
    const second = await invoke(new Command({ resume: { [one!]: "1" } }));
    expect(second.status).toBe("waiting");
    expect(await invoke(new Command({ resume: { [two!]: "2" } }))).toMatchObject({ status: "idle" });
  });

  it.each([["interruptBefore"], ["interruptAfter"]])(
    "is waiting at %s, without a question",
    async (option) => {
      const nodes = { plain };
      const { invoke } = recorded(graphOf(nodes, { [option]: ["plain"] }));
      const first = await invoke({ text: "Hi" });
      expect(first.status).toBe("waiting");
      expect(first.waitingFor).toBeUndefined();
      expect(first.ends).toMatchObject([{ outcome: "waiting" }]);
      expect(await invoke(null)).toMatchObject({ status: "idle" });
    },
  );
});

class Notes extends BaseRetriever {
  lc_namespace = ["test"];

  override async _getRelevantDocuments() {
    return [new Document({ id: "n1", pageContent: "Cancel at noon.", metadata: { page: 3 } })];
  }
}

describe("a retriever of LangChain", () => {
  it("has its query and documents recorded", async () => {
    const source = createInMemoryInspectorDataSource();
    const recorder = new RunRecorder(source.sessionStore);
    const retrieve = async () => {
      const [note] = await new Notes().invoke("When?");
      return { text: note!.pageContent };
    };
    const callbacks = [new InspectorCallbackHandler(recorder)];
    const config = { callbacks, configurable: { thread_id: "s1" } };
    await graphOf({ retrieve: retrieve as never }).invoke({ text: "Hi" }, config);
    await recorder.flush();
    const events = (await source.loadTraceEnvelopes("default", "s1")).map(({ event }) => event);
    expect(events.find(({ type, name }) => type === "span" && name === "Notes")).toMatchObject({
      query: "When?",
      attributes: { documents: [{ id: "n1", pageContent: "Cancel at noon.", metadata: { page: 3 } }] },
    });
  });
});
