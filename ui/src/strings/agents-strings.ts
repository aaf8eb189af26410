const counted = (n: string, one: string, many: string) => (n === "1" ? `1 ${one}` : `${n} ${many}`);

/** Texts of the view of the agents. */
export const AGENTS_STRINGS = {
  none: "This session has no sub-agents",
  noneHint: "The main agent did all the work itself. The trace shows what it did.",
  loading: "Drawing the graph…",
  count: (n: string) => counted(n, "agent", "agents"),
  countOf: (n: string, all: string) => `${n} of ${counted(all, "agent", "agents")}`,
  nothingFound: "No agent matches the filter",
  nothingFoundYet: "No agent matches the filter so far",
  clear: "Clear filter",

  table: "Agents",
  filter: "Filter agents",
  filterHint:
    "Words in names, prompts, states, roles and models; in one of them by agent:, prompt:, state:, role: or model:, and - for what must not match",
  filterExample: "Filter: words, state:failed, role:…, model:…",
  layout: "Rows",
  layouts: { tree: "Tree", flat: "Flat", roles: "By role" },
  layoutHints: {
    tree: "Each agent below the one that spawned it. Sorting orders siblings.",
    flat: "All agents in one list. Sorting orders all of them.",
    roles: "Agents below a row of each role, with its sums",
  },
  sums: "Figures",
  scopes: { own: "Own", branch: "With spawned" },
  scopeHints: {
    own: "What each agent did itself",
    branch: "What each agent did, and all agents that it spawned",
  },
  foldAll: "Collapse all",
  unfoldAll: "Expand all",
  shape: "View",
  shapes: { table: "Table", graph: "Graph" },
  graph: "Orchestration graph",
  noGraph: (agents: string, most: string) =>
    `The graph is drawn for up to ${most} agents, so that one can read it. This session has ${agents}.`,
  unfold: "Show each of them",
  fold: "Fold roles",
  failed: (n: number) => `${n} failed`,

  columns: {
    agent: "Agent",
    prompt: "Prompt",
    state: "State",
    model: "Model",
    calls: "Calls",
    tokens: "Tokens",
    cost: "Cost",
    errors: "Errors",
    duration: "Duration",
    waited: "Waited",
  },
  columnHints: {
    agent: "Name and role",
    prompt: "The prompt of the last task, else of the last turn; of the main agent the first one",
    state: "The outcome of the last task where that did not succeed, else the recorded state",
    model: "The models that answered",
    calls: "Model calls and tool calls",
    tokens: "Input and output tokens, those from the cache included",
    cost: "Of the model calls that have pricing",
    errors: "Steps that failed by themselves",
    duration: "From the first start to the last end",
    waited: "How long it went no further because it waited for other agents; of several agents added up",
  },
  sortHint: "Sort",
  callsOf: (llm: string, tool: string) =>
    `${counted(llm, "model call", "model calls")}, ${counted(tool, "tool call", "tool calls")}`,
  noRole: "No role",
  time: "Time",
  split: "Width of the columns beside the lanes",
  onPath: "on the critical path",

  legend: {
    work: "worked",
    waits: "waited",
    path: "critical path",
    errors: "error",
    jobs: "task began",
  },

  waits: "Waits",
  waited: (waiters: string, name: string, waited: string) =>
    `${waiters === "1" ? name : counted(waiters, "agent", "agents")} waited ${waited} for`,
  waitedInAll: (waiters: string, waited: string) =>
    `${counted(waiters, "agent", "agents")} waited ${waited} in all`,
  moreWaits: (n: string) => counted(n, "other was waited for", "others were waited for"),
  sources: {
    events: "",
    calls: "By tool calls alone: this session records no waits of its own.",
    none: "Nothing recorded says which agent waited for which.",
  },
  path: "Critical path",
  pathHint:
    "The agents that decided when the session ended: from the last end back to whoever was waited for, and to whoever spawned that one",
  pathOf: (agents: string, lasted: string) => `${counted(agents, "agent", "agents")}, ${lasted}`,
  morePath: (n: string) => `${n} shorter`,

  details: {
    spawnedBy: "Spawned by",
    task: "Last task",
    prompt: "Prompt",
    noPrompt: "No prompt is recorded.",
    result: "Result",
    noTask: "No task has ended.",
    activity: "Activity",
    withSpawned: "With spawned agents",
    waited: "Waited",
    waitedFor: (waited: string) => `${waited} for`,
    awaited: "Was waited for",
    awaitedBy: (agents: string, waited: string) => `${waited} by ${counted(agents, "agent", "agents")}`,
    path: "On the critical path",
    showTrace: "Show in trace",
    showConversation: "Show conversation",
  },
} as const;
