export interface ListedOption {
  readonly value: string;
  /** Default is `value`. */
  readonly label?: string;
  readonly group?: string;
}

export function optionLabel({ value, label = value }: ListedOption): string {
  return label;
}

/** Each word must be in the label or value, in any case. No word matches all. */
export function matchingOptions(options: readonly ListedOption[], text: string): readonly ListedOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const searched = `${optionLabel(option)}\n${option.value}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/**
 * Cyclic; a repeated letter goes from one option to the next.
 * @returns its index, or `undefined` if none begins so
 */
export function optionBeginningWith(
  options: readonly ListedOption[],
  typed: string,
  active: number,
): number | undefined {
  const start = typed.toLowerCase();
  const isRepeated = [...start].every((letter) => letter === start[0]);
  const wanted = isRepeated ? start[0]! : start;
  // An unfinished word may still match the current option.
  const from = isRepeated ? active + 1 : active;
  for (let i = 0; i < options.length; i++) {
    const index = (from + i) % options.length;
    if (optionLabel(options[index]!).toLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

/** Options without a group have the name `""`. */
export function groupedOptions(
  options: readonly ListedOption[],
): readonly { readonly name: string; readonly first: number; readonly options: readonly ListedOption[] }[] {
  const groups: { name: string; first: number; options: ListedOption[] }[] = [];
  options.forEach((option, index) => {
    const { group = "" } = option;
    const last = groups.at(-1);
    if (last?.name === group) last.options.push(option);
    else groups.push({ name: group, first: index, options: [option] });
  });
  return groups;
}
