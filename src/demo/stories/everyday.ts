import { DAY, HOUR, MINUTE } from "../ago.js";
import { conversation } from "../conversation.js";
import type { Story } from "../scene.js";

const ops = { tenantId: "default", agentId: "ops-agent" } as const;
const concierge = { tenantId: "café-lumière", agentId: "concierge" } as const;

interface Small {
  readonly about: Pick<Story, "tenantId" | "agentId" | "userId" | "title" | "endedAgoMs">;
  readonly user: string;
  readonly tool: string;
  readonly input: Record<string, unknown>;
  readonly output: string;
  readonly answer: string;
}

const SMALL: readonly Small[] = [
  {
    about: { ...ops, userId: "oncall", title: "Certificate of api.acme.example", endedAgoMs: 11 * HOUR },
    user: "When does our API certificate expire?",
    tool: "openssl",
    input: { host: "api.acme.example:443" },
    output: "notAfter=Jan 14 23:59:59 2027 GMT",
    answer: "On **14 January 2027**.",
  },
  {
    about: { ...ops, userId: "kim", title: "Slowest endpoints this week", endedAgoMs: 3 * DAY },
    user: "Which endpoints were slowest this week?",
    tool: "query_metrics",
    input: { metric: "http_p99", range: "7d", top: 3 },
    output: "POST /reports 4.1s\nGET /search 1.9s\nPOST /import 1.2s",
    answer: "1. `POST /reports` (p99 4.1 s)\n2. `GET /search` (1.9 s)\n3. `POST /import` (1.2 s)",
  },
  {
    about: { ...ops, userId: "", title: "Nightly backup check", endedAgoMs: 16 * HOUR },
    user: "Check last night's backups.",
    tool: "list_backups",
    input: { since: "24h" },
    output: "db-1 ok 41 GB\ndb-2 ok 39 GB\nfiles ok 210 GB",
    answer: "All three are there and of the usual size.",
  },
  {
    about: { ...concierge, userId: "zoë", title: "Table for two on Friday", endedAgoMs: 55 * MINUTE },
    user: "A table for two on Friday at eight?",
    tool: "find_table",
    input: { day: "Friday", time: "20:00", people: 2 },
    output: "free: 20:15, terrace",
    answer: "At **20:15 on the terrace** there is one. Shall I book it?",
  },
  {
    about: { ...concierge, userId: "josé", title: "Allergens in the tarte", endedAgoMs: 4 * DAY },
    user: "Are there nuts in the tarte aux tomates?",
    tool: "recipe",
    input: { dish: "tarte aux tomates" },
    output: "flour, butter, tomatoes, Dijon mustard, thyme",
    answer: "No nuts. It has **gluten, milk and mustard**.",
  },
  {
    about: {
      tenantId: "initech-research",
      agentId: "research-agent",
      userId: "samir",
      title: "Who first measured the speed of light?",
      endedAgoMs: 5 * DAY,
    },
    user: "Who first measured the speed of light, and how far off was he?",
    tool: "web_search",
    input: { query: "first measurement speed of light Rømer 1676" },
    output: "Ole Rømer, 1676: about 220,000 km/s",
    answer: "**Ole Rømer**, 1676, from the moons of Jupiter: about 220,000 km/s, 27 % too low.",
  },
  {
    about: {
      tenantId: "initech-research",
      agentId: "research-agent",
      userId: "peter.g",
      title: "Summarise the quarterly figures",
      endedAgoMs: 6 * DAY,
    },
    user: "Sum up the quarterly figures in three lines.",
    tool: "read_file",
    input: { path: "q3.csv" },
    output: "region,revenue\nnorth,1.2M\nsouth,0.9M\nwest,1.6M",
    answer: "- Revenue **3.7 M**\n- West leads (1.6 M)\n- South is down for the second time",
  },
  {
    about: {
      tenantId: "acme",
      agentId: "coding-agent",
      userId: "linus@acme.example",
      title: "Why is the Docker image 1.4 GB?",
      endedAgoMs: 2 * DAY,
    },
    user: "Why is our image 1.4 GB?",
    tool: "run",
    input: { command: "docker history app:latest --no-trunc | head -3" },
    output: "COPY . .  912MB\nRUN npm ci  381MB",
    answer:
      "`COPY . .` takes `.git` and `coverage/` along (912 MB). A `.dockerignore` with both brings it to **490 MB**.",
  },
  {
    about: {
      tenantId: "acme",
      agentId: "coding-agent",
      userId: "ada@acme.example",
      title: "Rename `Cust` to `Customer`",
      endedAgoMs: 7 * DAY,
    },
    user: "Rename the class Cust to Customer everywhere.",
    tool: "run",
    input: { command: "npx tsc-rename Cust Customer" },
    output: "31 files changed",
    answer: "Renamed in 31 files; types and tests are green.",
  },
];

export const EVERYDAY_STORIES: readonly Story[] = SMALL.map(({ about, user, tool, input, output, answer }) =>
  conversation(about, [
    { user, answers: [{ calls: [{ name: tool, input, output, ms: 280 }] }, { text: answer }] },
  ]),
);
