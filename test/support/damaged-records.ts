import fc from "fast-check";

/** A valid record in which one member, at any depth, has another value. */
export function damagedRecord(valid: readonly object[], values: fc.Arbitrary<unknown>) {
  return fc.tuple(fc.constantFrom(...valid), fc.nat(), values).map(([record, which, value]) => {
    const copy = structuredClone(record) as Record<string, unknown>;
    const members: [Record<string, unknown>, string][] = [];
    const visit = (one: unknown) => {
      if (typeof one !== "object" || one === null) return;
      for (const name of Object.keys(one)) {
        members.push([one as Record<string, unknown>, name]);
        visit((one as Record<string, unknown>)[name]);
      }
    };
    visit(copy);
    const [holder, name] = members[which % members.length]!;
    holder[name] = value;
    return copy;
  });
}

/** The text of a file in which some lines are cut, doubled, swapped, removed, or follow an odd line. */
export function damagedLines(valid: readonly string[], odd: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const does = fc.constantFrom("cut", "double", "swap", "drop", "odd", "odd");
  return fc
    .array(fc.record({ at: fc.nat(valid.length - 1), does, odd }), { maxLength: 12 })
    .map((damages) => {
      const all = [...valid];
      for (const { at, does, odd } of damages) {
        const line = all[at] ?? "";
        if (does === "cut") all[at] = line.slice(0, line.length / 2);
        else if (does === "double") all.splice(at, 0, line);
        else if (does === "swap") [all[at], all[at + 1]] = [all[at + 1] ?? "", line];
        else if (does === "drop") all.splice(at, 1);
        else all.splice(at, 0, odd);
      }
      return `${all.join("\n")}\n`;
    });
}
