import { filterTokens } from "../../../src/domain/filter/filter-tokens.js";
import type { AgentFacts } from "./agent-table.js";

/** What a word of a filter may name in front of a colon; a word without one is looked for in all that a row says in words. */
const FIELDS: { readonly [field: string]: (agent: AgentFacts) => string } = {
  agent: ({ id, name }) => `${name}\n${id}`,
  state: ({ state }) => state,
  role: ({ role }) => role,
  model: ({ models }) => models.join("\n"),
  prompt: (agent) => agent.prompt(),
};

/**
 * Reads a filter of agents: words of which each has to be found, `field:word` in one field alone, `-` in front of one that must not be found.
 * Letters are found in either case. Any text is a filter: a field that nobody knows is a word with a colon in it.
 *
 * @example agentFilter("package -role:tester state:failed")
 * @returns `undefined` where nothing is filtered by
 */
export function agentFilter(text: string): ((agent: AgentFacts) => boolean) | undefined {
  const terms: ((agent: AgentFacts) => boolean)[] = [];
  let isWanted = true;
  for (const token of filterTokens(text)) {
    if (token.kind !== "word") {
      isWanted = token.kind !== "-";
      continue;
    }
    const wanted = isWanted;
    isWanted = true;
    const field = token.field?.toLowerCase() ?? "";
    const isField = Object.hasOwn(FIELDS, field);
    const word = (
      isField || token.field === undefined ? token.text : `${token.field}:${token.text}`
    ).toLowerCase();
    if (word === "") continue;
    const read = isField ? FIELDS[field]! : wordsOf;
    terms.push((agent) => read(agent).toLowerCase().includes(word) === wanted);
  }
  return terms.length === 0 ? undefined : (agent) => terms.every((holds) => holds(agent));
}

function wordsOf(agent: AgentFacts): string {
  const { id, name, role, state, models } = agent;
  return [name, id, role, state, ...models, agent.prompt()].join("\n");
}
