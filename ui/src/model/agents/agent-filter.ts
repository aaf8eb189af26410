import { filterTokens } from "../../../../src/domain/filter/filter-tokens.js";
import type { AgentFacts } from "./agent-table.js";

/** A word without a field is searched in all texts of a row. */
const FIELDS: { readonly [field: string]: (agent: AgentFacts) => string } = {
  agent: ({ id, name }) => `${name}\n${id}`,
  state: ({ state }) => state,
  role: ({ role }) => role,
  model: ({ models }) => models.join("\n"),
  prompt: (agent) => agent.prompt(),
};

/**
 * All words have to match: `field:word` in one field only, `-` negates. Ignores case. An unregistered field is a word with a colon.
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
