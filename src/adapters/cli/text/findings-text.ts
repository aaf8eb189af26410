import type { ExportReview } from "../../../application/export/export-session.js";
import type { RedactionFinding, RedactionPlace } from "../../../application/ports/export.js";
import { formatCount } from "../../../domain/text/figures.js";
import { visibleText } from "../../../domain/text/visible-text.js";

const MOST_MASKED = 1_000;

const MOST_PLACES = 3;

const VISIBLE = 4;
const VISIBLE_PART = 1 / 4;

export function maskedReview(review: ExportReview, showValues: boolean): ExportReview {
  if (showValues) return review;
  const { findings } = review;
  const words = findings.length > MOST_MASKED ? () => "" : withStubs(findings);
  const placeOf = ({ where, before, after }: RedactionPlace) => ({
    where,
    before: words(before),
    after: words(after),
  });
  return {
    ...review,
    findings: findings.map((finding) => ({
      ...finding,
      value: masked(finding),
      places: finding.places.map(placeOf),
    })),
  };
}

export function findingsText({ findings }: ExportReview): string {
  if (findings.length === 0) return "No findings to remove.\n";
  const rules = new Map<string, RedactionFinding[]>();
  for (const finding of findings) {
    const alike = rules.get(finding.rule);
    if (alike === undefined) rules.set(finding.rule, [finding]);
    else alike.push(finding);
  }
  const sections = [...rules].map(([rule, findings]) =>
    [`${rule}: ${formatCount(findings.length, "value")}`, ...findings.flatMap(linesOf)]
      .map(visibleText)
      .join("\n"),
  );
  return `${sections.join("\n\n")}\n\n${HINT}\n`;
}

const HINT =
  "--redact strict removes all of them; --keep ID,ID retains the named ones. Images are not checked: a retained image has its metadata.";

function linesOf({ id, value, length, count, places }: RedactionFinding): string[] {
  const named = places.slice(0, MOST_PLACES).map(({ where }) => where);
  const more = count > named.length ? ", …" : "";
  const [first] = places;
  const around = first && `${first.before}[…]${first.after}`.replace(/\s+/g, " ").trim();
  return [
    `  ${id}  ${oneLine(value)}  (${formatCount(length, "character")}, ${formatCount(count)} ×: ${named.join(", ")}${more})`,
    ...(around === undefined || around === "[…]" ? [] : [`      ${around}`]),
  ];
}

const LONGEST_VALUE = 200;

function oneLine(value: string): string {
  const line = value.replace(/\s+/g, " ");
  return line.length > LONGEST_VALUE ? `${line.slice(0, LONGEST_VALUE)}…` : line;
}

function masked({ value, length }: RedactionFinding): string {
  if (value.startsWith("data:")) return "…";
  return `${value.slice(0, Math.min(VISIBLE, Math.floor(length * VISIBLE_PART)))}…`;
}

function withStubs(findings: readonly RedactionFinding[]): (text: string) => string {
  const values = findings
    .filter(({ value }) => value.length > 1)
    .sort((a, b) => b.value.length - a.value.length);
  return (text) => values.reduce((rest, { value, stub }) => rest.replaceAll(value, () => stub), text);
}
