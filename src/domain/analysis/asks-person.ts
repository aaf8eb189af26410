const ASKING: ReadonlySet<string> = new Set(["AskUserQuestion", "ExitPlanMode"]);

/** Whether a tool of this name asks a person. */
export function asksPerson(name: string): boolean {
  return ASKING.has(name);
}
