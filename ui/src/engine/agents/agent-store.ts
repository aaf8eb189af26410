import { MAIN_AGENT } from "../../model/address/address.js";
import { type AgentFolds, type AgentLine, agentLines, foldedAround } from "../../model/agents/agent-lines.js";
import type { AgentEntry } from "../../model/agents/agent-table.js";
import type { AgentsQuery } from "../../model/agents/agents-query.js";
import { PAGE_ROWS } from "../sessions/list-protocol.js";
import { AgentFigures, type AgentSource } from "./agent-figures.js";
import type { AgentDetail, AgentRow, AgentsViewModel } from "./agent-protocol.js";
import { agentRow } from "./agent-row.js";

export class AgentStore {
  #source: AgentSource;
  #figures: AgentFigures;
  readonly #prompts = new Map<string, string>();
  #query: AgentsQuery = { filter: "", sort: undefined, layout: "tree", sums: "branch" };
  #folds: AgentFolds = new Set();
  #lines: readonly AgentLine[] = [];
  #version = 0;

  constructor(source: AgentSource) {
    this.#source = source;
    this.#figures = new AgentFigures(source, this.#prompts);
    this.#rebuild();
  }

  update(source: AgentSource): void {
    const names = Object.keys(source) as (keyof AgentSource)[];
    if (names.every((name) => this.#source[name] === source[name])) return;
    this.#source = source;
    this.#figures = new AgentFigures(source, this.#prompts);
    this.#rebuild();
  }

  view(query: AgentsQuery): AgentsViewModel {
    if (JSON.stringify(query) !== JSON.stringify(this.#query)) {
      this.#query = query;
      this.#rebuild();
    }
    return this.#describe();
  }

  rows(from: number, to: number): AgentRow[] {
    return this.#lines.slice(from, to).map((line) => agentRow(line, this.#figures));
  }

  /** @returns `undefined` if no agent has this id */
  detail(id: string): AgentDetail | undefined {
    const entry = this.#entryOf(id);
    return entry && this.#figures.detail(entry);
  }

  toggle(id: string): AgentsViewModel {
    const folds = new Set(this.#folds);
    if (!folds.delete(id)) folds.add(id);
    return this.#fold(folds);
  }

  foldAll(fold: boolean): AgentsViewModel {
    const folds = new Set(this.#folds);
    // Folded agents have no line: lists the lines of the initial state.
    for (const { id, parts, folded } of agentLines(this.#figures.entries, this.#query, new Set())) {
      if (parts === 0) continue;
      if (folded === fold) folds.delete(id);
      else folds.add(id);
    }
    return this.#fold(folds);
  }

  /** @returns the agent's line, -1 if the filter hides it */
  locate(id: string): { readonly view: AgentsViewModel; readonly index: number } {
    const entry = this.#entryOf(id);
    const indexOf = () => this.#lines.findIndex((line) => line.id === id);
    if (indexOf() === -1 && entry !== undefined) {
      const around = new Set(foldedAround(entry, this.#figures.entries, this.#query));
      const folds = new Set(this.#folds);
      // A tree begins unfolded; a role may begin either way.
      if (this.#query.layout === "tree") for (const one of around) folds.delete(one);
      const role = this.#lines.find((line) => line.type === "role" && line.folded && around.has(line.id));
      if (role !== undefined && !folds.delete(role.id)) folds.add(role.id);
      this.#fold(folds);
    }
    return { view: this.#describe(), index: indexOf() };
  }

  #entryOf(id: string): AgentEntry | undefined {
    return this.#figures.entries.find((entry) => entry.id === id);
  }

  #fold(folds: AgentFolds): AgentsViewModel {
    this.#folds = folds;
    this.#rebuild();
    return this.#describe();
  }

  #rebuild(): void {
    this.#lines = agentLines(this.#figures.entries, this.#query, this.#folds);
    this.#version++;
  }

  #describe(): AgentsViewModel {
    const { entries, axis, waits, path } = this.#figures;
    const matchCount = new Set(
      this.#lines.flatMap((line) => (line.type === "role" ? line.entries : line.aside ? [] : [line.entry])),
    );
    return {
      version: this.#version,
      rows: this.#lines.length,
      first: this.rows(0, PAGE_ROWS),
      agents: Math.max(0, entries.length - 1),
      matches: [...matchCount].filter(({ id }) => id !== MAIN_AGENT).length,
      hasCost: entries[0]?.sums.branch.cost !== undefined,
      axis: axis.segments,
      waits,
      path,
    };
  }
}
