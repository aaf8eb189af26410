import { describe, expect, it } from "vitest";
import type { Message } from "../domain/conversation/message.js";
import { Conversation, type ConversationStep } from "./conversation.js";

const system = { role: "system", content: "Be kind." };
const user = (content: string): Message => ({ role: "user", content });
const answer = (content: string): Message => ({ role: "assistant", content });

/** Returns the recorded messages of a conversation, call by call: the `messages` of a rewriting replace all previous messages. */
function keep(isResumed = false) {
  const conversation = new Conversation(isResumed);
  let retained: Message[] = [];
  let rewritings = 0;
  const take = ({ isRewritten, messages }: ConversationStep) => {
    if (isRewritten) rewritings++;
    retained = isRewritten ? [...messages] : [...retained, ...messages];
  };
  return {
    call(run: object, input: readonly Message[], ...answer: readonly Message[]) {
      take(conversation.ask(input, run));
      conversation.answer(answer);
      retained.push(...answer);
    },
    get texts() {
      return retained.map(({ content }) => content);
    },
    get rewritings() {
      return rewritings;
    },
  };
}

describe("a conversation that every call repeats", () => {
  const run = {};

  it("has each message once, also where an answer comes back in another spelling", () => {
    const retained = keep();
    const input = [system, user("a")];
    for (let i = 0; i < 50; i++) {
      retained.call(run, input, answer(`b${i}`));
      input.push({ role: "assistant", content: [{ type: "text", text: `b${i}` }] }, user(`c${i}`));
    }
    expect(retained.texts).toHaveLength(2 + 50 + 49);
    expect(new Set(retained.texts).size).toBe(101);
    expect(retained.rewritings).toBe(0);
  });

  it("adds nothing where a call is tried again", () => {
    const retained = keep();
    retained.call(run, [user("a")]);
    retained.call(run, [user("a")], answer("b"));
    expect(retained.texts).toEqual(["a", "b"]);
  });

  it("does not take a moved mark of a cache for another message", () => {
    const retained = keep();
    retained.call(run, [{ ...user("a"), providerOptions: { cache: true } }], answer("b"));
    retained.call(
      run,
      [user("a"), answer("b"), { ...user("c"), providerOptions: { cache: true } }],
      answer("d"),
    );
    expect(retained.texts).toEqual(["a", "b", "c", "d"]);
    expect(retained.rewritings).toBe(0);
  });

  it("goes on where only a window of it is repeated", () => {
    const retained = keep();
    retained.call(run, [user("a")], answer("b"));
    retained.call(run, [user("a"), answer("b"), user("c")], answer("d"));
    retained.call(run, [user("c"), answer("d"), user("e")], answer("f"));
    expect(retained.texts).toEqual(["a", "b", "c", "d", "e", "f"]);
    expect(retained.rewritings).toBe(0);
  });

  it("is replaced where it was rewritten", () => {
    const retained = keep();
    retained.call(run, [system, user("a")], answer("b"));
    retained.call(run, [system, user("a"), answer("b"), user("c")], answer("d"));
    retained.call(run, [system, user("summary of a, b"), user("c")], answer("d"));
    expect(retained.texts).toEqual(["Be kind.", "summary of a, b", "c", "d"]);
    retained.call(run, [system, user("summary of a, b"), user("c"), answer("d"), user("e")]);
    expect(retained.texts.slice(3)).toEqual(["d", "e"]);
    expect(retained.rewritings).toBe(1);
  });

  it("is replaced in a later run, where runs go on with what the ones before them said", () => {
    const retained = keep();
    retained.call({}, [user("a")], answer("b"));
    retained.call({}, [user("a"), answer("b"), user("c")], answer("d"));
    retained.call({}, [user("summary"), user("e")], answer("f"));
    expect(retained.texts).toEqual(["summary", "e", "f"]);
  });

  it("keeps the turns of an agent that remembers none of them", () => {
    const retained = keep();
    const run = {};
    retained.call(run, [system, user("a")], answer("b"));
    retained.call(run, [system, user("a"), answer("b"), user("c")], answer("d"));
    retained.call({}, [system, user("e")], answer("f"));
    expect(retained.texts).toEqual(["Be kind.", "a", "b", "c", "d", "e", "f"]);
    expect(retained.rewritings).toBe(0);
  });

  it("is not replaced by what else the model is asked between", () => {
    const retained = keep();
    const title = { role: "system", content: "Find a title." };
    const input = [system, user("a")];
    for (const turn of ["1", "2", "3"]) {
      retained.call(run, input, answer(`b${turn}`));
      retained.call(run, [title, user(`Title of ${turn}?`)], answer(`t${turn}`));
      input.push(answer(`b${turn}`), user(`c${turn}`));
    }
    expect(retained.rewritings).toBe(0);
    expect(new Set(retained.texts).size).toBe(retained.texts.length);
  });

  it("goes on behind the last answer, where another process recorded what was before", () => {
    const retained = keep(true);
    retained.call(run, [system, user("a"), answer("b"), user("c")], answer("d"));
    expect(retained.texts).toEqual(["c", "d"]);
  });

  it("is told from its beginning where nothing was answered before", () => {
    const retained = keep(true);
    retained.call(run, [system, user("a")], answer("b"));
    expect(retained.texts).toEqual(["Be kind.", "a", "b"]);
  });

  it("has a message once that is nested deeper than the platform can write", () => {
    let deep: unknown = "inmost";
    for (let i = 0; i < 10_000; i++) deep = { content: [deep] };
    const retained = keep();
    for (let i = 0; i < 3; i++) retained.call(run, [{ role: "user", content: deep, cache_control: i }]);
    expect(retained.texts).toHaveLength(1);
  });
});
