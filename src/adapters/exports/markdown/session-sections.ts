import type { Span } from "../../../domain/spans/span.js";
import { inlineText } from "../texts/markdown-text.js";
import { bookkeepingText, partsText, stepText, type WrittenTrace } from "./span-lines.js";

/** HTML has no deeper heading. */
const DEEPEST_HEADING = 6;

interface Section {
  readonly heading: string;
  readonly level: number;
  readonly root: Span | undefined;
  readonly spans: readonly Span[];
}

/** One section per turn, and each sub-agent after the turn that started it. No recursion, because foreign input determines the depth. */
export function* sessionSections(written: WrittenTrace): Generator<string, void> {
  const open = topSections(written).reverse();
  for (let section = open.pop(); section !== undefined; section = open.pop()) {
    const { heading, level, root, spans } = section;
    let opening = `${"#".repeat(Math.min(level, DEEPEST_HEADING))} ${heading}\n\n`;
    if (root !== undefined) {
      yield `${opening}${partsText(root)}\n\n`;
      opening = "";
      yield stepText(root, written);
      yield bookkeepingText(root, written);
    }
    const agents: Span[] = [];
    for (const text of steps(spans, agents, written)) {
      if (text === "") continue;
      yield opening + text;
      opening = "";
    }
    for (const agent of agents.reverse())
      open.push({
        heading: `Agent ${inlineText(agent.name || agent.agentId)}`,
        level: level + 1,
        root: agent,
        spans: agent.children,
      });
  }
}

function topSections({ trace: { roots }, turnNumbers }: WrittenTrace): Section[] {
  const sections: Section[] = [];
  let outside: Span[] = [];
  let turns = 0;
  const close = () => {
    const spoken = outside.filter(({ kind }) => kind !== "session");
    if (spoken.length > 0)
      sections.push({
        heading: turns === 0 ? "Before the first turn" : "Between turns",
        level: 2,
        root: undefined,
        spans: spoken,
      });
    outside = [];
  };
  for (const span of turnsAndOthers(roots)) {
    if (span.kind !== "turn" || span.agentId !== "") {
      outside.push(span);
      continue;
    }
    close();
    turns++;
    sections.push({
      heading: `Turn ${turnNumbers[turns - 1] ?? turns}`,
      level: 2,
      root: span,
      spans: span.children,
    });
  }
  close();
  return turns === 0 ? sections.map((section) => ({ ...section, heading: "Steps" })) : sections;
}

/** A run contains the turns. */
function turnsAndOthers(roots: readonly Span[]): readonly Span[] {
  return roots.flatMap((span) =>
    span.kind === "run" && span.children.some(({ kind }) => kind === "turn") ? span.children : [span],
  );
}

function* steps(spans: readonly Span[], agents: Span[], written: WrittenTrace): Generator<string, void> {
  const open = [...spans].reverse();
  for (let span = open.pop(); span !== undefined; span = open.pop()) {
    if (span.kind === "agent" && span.agentId !== "" && span.children.length > 0) {
      agents.push(span);
      yield `→ Agent ${inlineText(span.name || span.agentId)}, below · ${partsText(span)}\n\n`;
      continue;
    }
    yield stepText(span, written);
    yield bookkeepingText(span, written);
    for (let i = span.children.length - 1; i >= 0; i--) open.push(span.children[i]!);
  }
}
