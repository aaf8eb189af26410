import { describe, expect, it } from "vitest";
import type { Message } from "../domain/conversation/message.js";
import { Conversation, type ConversationStep } from "./conversation.js";

const system = { role: "system", content: "Be kind." };
const user = (content: string): Message => ({ role: "user", content });
const said = (content: string): Message => ({ role: "assistant", content });

/** Returns the recorded messages of a conversation, call by call: the `messages` of a rewriting replace all previous messages. */
function keep(isResumed = false) {
  const conversation = new Conversation(isResumed);
  let kept: Message[] = [];
  let rewritings = 0;
  const take = ({ isRewritten, messages }: ConversationStep) => {
    if (isRewritten) rewritings++;
    kept = isRewritten ? [...messages] : [...kept, ...messages];
  };
  return {
    call(run: object, input: readonly Message[], ...answer: readonly Message[]) {
      take(conversation.ask(input, run));
      conversation.answer(answer);
      kept.push(...answer);
    },
    get texts() {
      return kept.map(({ content }) => content);
    },
    get rewritings() {
      return rewritings;
    },
  };
}

describe("a conversation that every call repeats", () => {
  const run = {};

  it("has each message once, also where an answer comes back in another spelling", () => {
    const kept = keep();
    const input = [system, user("a")];
    for (let i = 0; i < 50; i++) {
      kept.call(run, input, said(`b${i}`));
      input.push({ role: "assistant", content: [{ type: "text", text: `b${i}` }] }, user(`c${i}`));
    }
    expect(kept.texts).toHaveLength(2 + 50 + 49);
    expect(new Set(kept.texts).size).toBe(101);
    expect(kept.rewritings).toBe(0);
  });

  it("adds nothing where a call is tried again", () => {
    const kept = keep();
    kept.call(run, [user("a")]);
    kept.call(run, [user("a")], said("b"));
    expect(kept.texts).toEqual(["a", "b"]);
  });

  it("does not take a moved mark of a cache for another message", () => {
    const kept = keep();
    kept.call(run, [{ ...user("a"), providerOptions: { cache: true } }], said("b"));
    kept.call(run, [user("a"), said("b"), { ...user("c"), providerOptions: { cache: true } }], said("d"));
    expect(kept.texts).toEqual(["a", "b", "c", "d"]);
    expect(kept.rewritings).toBe(0);
  });

  it("goes on where only a window of it is repeated", () => {
    const kept = keep();
    kept.call(run, [user("a")], said("b"));
    kept.call(run, [user("a"), said("b"), user("c")], said("d"));
    kept.call(run, [user("c"), said("d"), user("e")], said("f"));
    expect(kept.texts).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(kept.rewritings).toBe(0);
  });

  it("is replaced where it was rewritten", () => {
    const kept = keep();
    kept.call(run, [system, user("a")], said("b"));
    kept.call(run, [system, user("a"), said("b"), user("c")], said("d"));
    kept.call(run, [system, user("summary of a, b"), user("c")], said("d"));
    expect(kept.texts).toEqual(["Be kind.", "summary of a, b", "c", "d"]);
    kept.call(run, [system, user("summary of a, b"), user("c"), said("d"), user("e")]);
    expect(kept.texts.slice(3)).toEqual(["d", "e"]);
    expect(kept.rewritings).toBe(1);
  });

  it("is replaced in a later run, where runs go on with what the ones before them said", () => {
    const kept = keep();
    kept.call({}, [user("a")], said("b"));
    kept.call({}, [user("a"), said("b"), user("c")], said("d"));
    kept.call({}, [user("summary"), user("e")], said("f"));
    expect(kept.texts).toEqual(["summary", "e", "f"]);
  });

  it("keeps the turns of an agent that remembers none of them", () => {
    const kept = keep();
    const run = {};
    kept.call(run, [system, user("a")], said("b"));
    kept.call(run, [system, user("a"), said("b"), user("c")], said("d"));
    kept.call({}, [system, user("e")], said("f"));
    expect(kept.texts).toEqual(["Be kind.", "a", "b", "c", "d", "e", "f"]);
    expect(kept.rewritings).toBe(0);
  });

  it("is not replaced by what else the model is asked between", () => {
    const kept = keep();
    const title = { role: "system", content: "Find a title." };
    const input = [system, user("a")];
    for (const turn of ["1", "2", "3"]) {
      kept.call(run, input, said(`b${turn}`));
      kept.call(run, [title, user(`Title of ${turn}?`)], said(`t${turn}`));
      input.push(said(`b${turn}`), user(`c${turn}`));
    }
    expect(kept.rewritings).toBe(0);
    expect(new Set(kept.texts).size).toBe(kept.texts.length);
  });

  it("goes on behind the last answer, where another process recorded what was before", () => {
    const kept = keep(true);
    kept.call(run, [system, user("a"), said("b"), user("c")], said("d"));
    expect(kept.texts).toEqual(["c", "d"]);
  });

  it("is told from its beginning where nothing was answered before", () => {
    const kept = keep(true);
    kept.call(run, [system, user("a")], said("b"));
    expect(kept.texts).toEqual(["Be kind.", "a", "b"]);
  });

  it("has a message once that is nested deeper than the platform can write", () => {
    let deep: unknown = "inmost";
    for (let i = 0; i < 10_000; i++) deep = { content: [deep] };
    const kept = keep();
    for (let i = 0; i < 3; i++) kept.call(run, [{ role: "user", content: deep, cache_control: i }]);
    expect(kept.texts).toHaveLength(1);
  });
});
