/** One of several that can be chosen. */
export interface ListedOption {
  readonly value: string;
  /** Default is the value. */
  readonly label?: string;
  /** Options of one group follow each other under its name. */
  readonly group?: string;
}

export function optionLabel({ value, label = value }: ListedOption): string {
  return label;
}

/** Those whose label or value has all words of a text, in any case; all of them where it has no word. */
export function matchingOptions(options: readonly ListedOption[], text: string): readonly ListedOption[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return options;
  return options.filter((option) => {
    const searched = `${optionLabel(option)}\n${option.value}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}

/**
 * The next option whose label begins with what was typed, around the end; the same letter again and again goes from one to the next.
 *
 * @returns its index, or `undefined` where none does
 */
export function optionBeginningWith(
  options: readonly ListedOption[],
  typed: string,
  active: number,
): number | undefined {
  const start = typed.toLowerCase();
  const isRepeated = [...start].every((letter) => letter === start[0]);
  const wanted = isRepeated ? start[0]! : start;
  // A word that is being typed may still mean the option that it led to.
  const from = isRepeated ? active + 1 : active;
  for (let i = 0; i < options.length; i++) {
    const index = (from + i) % options.length;
    if (optionLabel(options[index]!).toLowerCase().startsWith(wanted)) return index;
  }
  return undefined;
}

/** Options that follow each other in one group; those of no group are one of the name `""`. */
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
