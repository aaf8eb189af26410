import { filterTokens } from "../../../src/domain/filter/filter-tokens.js";
import type { AgentFacts } from "./agent-table.js";

/** Field names that a filter word may have before a colon. A word without a field is searched in all texts of a row. */
const FIELDS: { readonly [field: string]: (agent: AgentFacts) => string } = {
  agent: ({ id, name }) => `${name}\n${id}`,
  state: ({ state }) => state,
  role: ({ role }) => role,
  model: ({ models }) => models.join("\n"),
  prompt: (agent) => agent.prompt(),
};

/**
 * Parses a filter of agents. Each word has to match: `field:word` in one field only, and `-` before a word that must not match. Letter
 * case is ignored. Any text is a filter: an unregistered field is a word with a colon in it.
 *
 * @example agentFilter("package -role:tester state:failed")
 * @returns `undefined` if nothing is filtered
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
