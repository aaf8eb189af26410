import {
  ABSENT,
  formatCost,
  formatCount,
  formatDuration,
  formatTokens,
} from "../../../../src/domain/text/figures.js";
import type { AgentRow } from "../../engine/agents/agent-protocol.js";
import type { AgentSums } from "../../model/agents/agent-table.js";
import type { AgentColumn } from "../../model/agents/agents-query.js";
import { AGENTS_STRINGS as strings } from "../../strings/agents-strings.js";
import { STRINGS } from "../../strings/strings.js";

/** The tooltip only if it differs. The name is displayed separately. */
export function cellText(
  column: AgentColumn,
  row: AgentRow,
): { readonly text: string; readonly title?: string } {
  const { sums } = row;
  switch (column) {
    case "prompt":
      return {
        text: row.type === "role" ? strings.count(formatCount(sums.agents)) : row.prompt,
        title: row.prompt,
      };
    case "model":
      return { text: row.models.join(", "), title: row.models.join(", ") };
    case "calls": {
      const title = strings.callsOf(formatCount(sums.llmCalls), formatCount(sums.toolCalls));
      return { text: counted(sums.llmCalls + sums.toolCalls), title };
    }
    case "tokens":
      return { text: tokensText(sums, formatTokens), title: tokensText(sums, formatCount) };
    case "cost":
      return { text: costText(sums) };
    case "errors":
      return { text: counted(sums.errors) };
    case "duration":
      return { text: sums.durationMs > 0 ? formatDuration(sums.durationMs) : "" };
    case "waited":
      return { text: sums.waitedMs > 0 ? formatDuration(sums.waitedMs) : "" };
    default:
      return { text: "" };
  }
}

/** Absent without token counts: their sum is unavailable. */
export function tokensText({ tokens, llmCalls }: AgentSums, format: (tokens: number) => string): string {
  if (tokens > 0) return format(tokens);
  return llmCalls > 0 ? ABSENT : "";
}

export function costText({ cost }: AgentSums): string {
  return cost === undefined ? "" : formatCost(cost);
}

export function nameOf({ type, name, role }: Pick<AgentRow, "type" | "name" | "role">): string {
  return type === "role" ? role || strings.noRole : name || STRINGS.trace.mainAgent;
}

/** Empty for 0: among hundreds of rows, the other values matter. */
function counted(count: number): string {
  return count === 0 ? "" : formatCount(count);
}
