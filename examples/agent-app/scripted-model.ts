import { MockLanguageModelV3 } from "ai/test";

type Options = Parameters<MockLanguageModelV3["doGenerate"]>[0];
type Result = Awaited<ReturnType<MockLanguageModelV3["doGenerate"]>>;
type Prompt = Options["prompt"];

type Call = readonly [toolName: string, input: Record<string, unknown>];

type Move = readonly Call[] | string;

/**
 * The ai package's own mock model with a script: it picks tools by words of the user's message, and answers with their real results. So
 * the application runs without a key.
 */
export function scriptedModel(): MockLanguageModelV3 {
  let calls = 0;
  return new MockLanguageModelV3({
    provider: "script",
    modelId: "scripted-model",
    doGenerate: async ({ prompt }) => resultOf(prompt, moveOf(prompt), () => `call-${calls++}`),
  });
}

function moveOf(prompt: Prompt): Move {
  const system = textOf(prompt.find(({ role }) => role === "system"));
  const lastUser = prompt.findLastIndex(({ role }) => role === "user");
  const question = textOf(prompt[lastUser]);
  const results = prompt.slice(lastUser + 1).flatMap(resultsOf);
  if (system.startsWith("Sum up")) return `It was asked: ${userTexts(prompt.slice(0, lastUser)).join(" | ")}`;
  if (system.includes("the researcher")) return research(question, results);
  if (system.includes("the reviewer"))
    return results.length === 0 ? [["read_file", { path: fileIn(question) }]] : report(results);
  return answer(question, results);
}

function research(task: string, results: readonly string[]): Move {
  if (results.length === 0) return [["list_files", { path: "." }]];
  if (results.length === 1) return [["search_files", { text: quotedIn(task) }]];
  return report(results);
}

function answer(question: string, results: readonly string[]): Move {
  if (results.length > 0) return report(results);
  if (/delegate|review/i.test(question)) {
    return [
      ["delegate", { agent: "researcher", task: `Find "${quotedIn(question)}" in the files.` }],
      ["delegate", { agent: "reviewer", task: `Review ${fileIn(question)}.` }],
    ];
  }
  if (/search/i.test(question)) return [["search_files", { text: quotedIn(question) }]];
  if (/read/i.test(question)) return [["read_file", { path: fileIn(question) }]];
  return [["list_files", { path: "." }]];
}

function report(results: readonly string[]): string {
  return `I found:\n${results.map((result) => `- ${result.slice(0, 300)}`).join("\n")}`;
}

function quotedIn(text: string): string {
  return /"([^"]+)"/.exec(text)?.[1] ?? "agent";
}

function fileIn(text: string): string {
  return /[\w./-]+\.\w+/.exec(text)?.[0] ?? "README.md";
}

function textOf(message: Prompt[number] | undefined): string {
  if (message === undefined) return "";
  const parts: readonly { readonly type: string; readonly text?: string }[] =
    message.role === "system" ? [{ type: "text", text: message.content }] : message.content;
  return parts.map((part) => (part.type === "text" ? part.text : "")).join("");
}

function userTexts(prompt: Prompt): string[] {
  return prompt.filter(({ role }) => role === "user").map(textOf);
}

function resultsOf(message: Prompt[number]): string[] {
  if (message.role !== "tool") return [];
  return message.content.flatMap((part) => {
    if (part.type !== "tool-result" || part.output.type === "execution-denied") return [];
    const { value } = part.output;
    return [typeof value === "string" ? value : JSON.stringify(value)];
  });
}

/** Tokens as a model would count them, about four characters each. */
function resultOf(prompt: Prompt, move: Move, newId: () => string): Result {
  const content: Result["content"] =
    typeof move === "string"
      ? [{ type: "text", text: move }]
      : move.map(([toolName, input]) => ({
          type: "tool-call",
          toolCallId: newId(),
          toolName,
          input: JSON.stringify(input),
        }));
  const input = Math.ceil(JSON.stringify(prompt).length / 4);
  const output = Math.ceil(JSON.stringify(content).length / 4);
  return {
    content,
    finishReason:
      typeof move === "string"
        ? { unified: "stop", raw: "stop" }
        : { unified: "tool-calls", raw: "tool_calls" },
    usage: {
      inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: output, text: output, reasoning: 0 },
    },
    warnings: [],
  };
}
