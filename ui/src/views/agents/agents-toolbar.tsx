import { formatCount } from "../../../../src/domain/text/figures.js";
import { blurOnEscape } from "../../app/use-keys.js";
import type { AgentsViewModel } from "../../engine/agents/agent-protocol.js";
import type { AddressQuery } from "../../model/address/address.js";
import { AGENT_LAYOUTS, type AgentsQuery, SUMS_SCOPES, usualSums } from "../../model/agents/agents-query.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import styles from "./agents-toolbar.module.css";

interface AgentsToolbarProps {
  readonly view: AgentsViewModel;
  readonly agents: AgentsQuery;
  readonly shape: "table" | "graph";
  readonly noGraph: string | undefined;
  onChange(changes: AddressQuery): void;
  onFoldAll(fold: boolean): void;
}

export function AgentsToolbar({ view, agents, shape, noGraph, onChange, onFoldAll }: AgentsToolbarProps) {
  const { filter, layout, sums } = agents;
  const isTable = shape === "table";
  return (
    <div className={styles.bar} role="toolbar" aria-label={strings.table}>
      {isTable && (
        <>
          <input
            type="search"
            className={styles.filter}
            aria-label={strings.filter}
            title={strings.filterHint}
            placeholder={strings.filterExample}
            value={filter}
            onInput={(event) => onChange({ filter: event.currentTarget.value })}
            onKeyDown={blurOnEscape}
          />
          <fieldset className={styles.choice}>
            <legend className="visually-hidden">{strings.layout}</legend>
            {AGENT_LAYOUTS.map((name) => (
              <button
                key={name}
                type="button"
                title={strings.layoutHints[name]}
                aria-pressed={layout === name}
                onClick={() => onChange({ layout: name === "tree" ? "" : name })}
              >
                {strings.layouts[name]}
              </button>
            ))}
          </fieldset>
          <fieldset className={styles.choice}>
            <legend className="visually-hidden">{strings.sums}</legend>
            {SUMS_SCOPES.map((name) => (
              <button
                key={name}
                type="button"
                title={strings.scopeHints[name]}
                aria-pressed={sums === name}
                onClick={() => onChange({ sums: name === usualSums(layout) ? "" : name })}
              >
                {strings.scopes[name]}
              </button>
            ))}
          </fieldset>
          {layout !== "flat" && (
            <span className={styles.folds}>
              <button type="button" onClick={() => onFoldAll(true)}>
                {strings.foldAll}
              </button>
              <button type="button" onClick={() => onFoldAll(false)}>
                {strings.unfoldAll}
              </button>
            </span>
          )}
        </>
      )}
      <span className={styles.right}>
        <span className={styles.count}>
          {filter.trim() === "" || !isTable
            ? strings.count(formatCount(view.agents))
            : strings.countOf(formatCount(view.matches), formatCount(view.agents))}
        </span>
        <fieldset className={styles.choice}>
          <legend className="visually-hidden">{strings.shape}</legend>
          <button type="button" aria-pressed={isTable} onClick={() => onChange({ shape: "" })}>
            {strings.shapes.table}
          </button>
          <button
            type="button"
            aria-pressed={!isTable}
            aria-disabled={noGraph !== undefined}
            title={noGraph}
            aria-description={noGraph}
            onClick={() => noGraph === undefined && onChange({ shape: "graph" })}
          >
            {strings.shapes.graph}
          </button>
        </fieldset>
      </span>
    </div>
  );
}
