export const FOLDERS: readonly (readonly [name: string, format: string])[] = [
  ["pi/run-0.87.1/sessions", "pi"],
  ["pi/getspecstory/sessions", "pi"],
  ["pi/agent-sessions", "pi"],
  ["openclaw/agent-sessions", "openclaw"],
];
