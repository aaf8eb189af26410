import { type FilterField, TEXT_FIELDS, type TextField } from "./session-filter.js";

/** @example exactTerm("tool", "read file") // 'tool:"read file"' */
export function exactTerm(field: TextField, value: string): string {
  const exact = TEXT_FIELDS[field].compares === "part" ? `=${value}` : value;
  return termText(field, exact);
}

export function termText(field: FilterField, value: string): string {
  const isPlain = /^[^\s()",]+$/.test(value);
  return `${field}:${isPlain ? value : `"${value.replace(/[\\"]/g, "\\$&")}"`}`;
}
