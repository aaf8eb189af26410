import { readFileSync } from "node:fs";
import path from "node:path";
import {
  beginningOf,
  isRaw,
  listIn,
  type OracleCall,
  type OracleMessage,
  objectIn,
  type Raw,
  type RawMessage,
  rawLines,
  textIn,
} from "./oracle-call.js";

type Step = { readonly message: Raw } | { readonly all: readonly Raw[] } | { readonly rewindTo: string };

/** Each call has the messages before the first version of its answer. */
export function callsOf(file: string): OracleCall[] {
  const name = path.basename(file);
  let alive: Raw[] = [];
  const calls = new Map<string, OracleCall>();
  const replace = (next: readonly Raw[]) => {
    alive = [];
    for (const message of next) write(message);
  };
  const write = (message: Raw) => {
    const id = String(message.id);
    const at = alive.findIndex((one) => one.id === message.id);
    const before = at === -1 ? alive : alive.slice(0, at);
    if (isCall(message) && !calls.has(id)) {
      calls.set(id, { file: name, places: [id], messages: before.flatMap((one) => seen(name, one)) });
    }
    alive = at === -1 ? [...alive, message] : alive.with(at, message);
  };
  for (const step of stepsOf(file)) {
    if ("message" in step) write(step.message);
    else if ("all" in step) replace(step.all);
    else {
      const at = alive.findIndex(({ id }) => id === step.rewindTo);
      alive = alive.slice(0, at === -1 ? 0 : at);
    }
  }
  return [...calls.values()];
}

export function messagesIn(file: string): RawMessage[] {
  const name = path.basename(file);
  return stepsOf(file).flatMap((step) => {
    const written = "message" in step ? [step.message] : "all" in step ? step.all : [];
    return written.map((value) => ({ key: `${name}:${String(value.id)}`, file: name, value }));
  });
}

function stepsOf(file: string): Step[] {
  if (file.endsWith(".json")) {
    const chat: unknown = JSON.parse(readFileSync(file, "utf8"));
    return isRaw(chat) ? listIn(chat, "messages").map((message) => ({ message })) : [];
  }
  return rawLines(file).flatMap(({ record }): Step[] => {
    const rewindTo = textIn(record, "$rewindTo");
    if (rewindTo !== undefined) return [{ rewindTo }];
    const set = "$set" in record ? objectIn(record, "$set") : record;
    if (Array.isArray(set.messages)) return [{ all: listIn(set, "messages") }];
    return "id" in record && "type" in record ? [{ message: record }] : [];
  });
}

/** An interrupted answer has no tokens, but words of a model. */
function isCall(message: Raw): boolean {
  if (message.type !== "gemini") return false;
  return isRaw(message.tokens) || (message.model !== undefined && beginningOf(message.content) !== "");
}

/** Notes of the page are not sent to the model. */
function seen(file: string, message: Raw): OracleMessage[] {
  if (message.type !== "user" && message.type !== "gemini") return [];
  const results = listIn(message, "toolCalls").flatMap((call) => listIn(call, "result"));
  const [first] = results.map((part) => objectIn(objectIn(part, "functionResponse"), "response"));
  const said = beginningOf(message.content) || beginningOf(first?.output ?? first?.error ?? "");
  return [{ key: `${file}:${String(message.id)}`, role: String(message.type), text: said }];
}
