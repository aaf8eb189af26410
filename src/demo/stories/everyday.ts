import { type ScriptedAnswer, use } from "../actor.js";
import { conversation } from "../conversation.js";
import { DAY, HOUR, MINUTE, type Story } from "../scene.js";

const ops = { tenantId: "default", agentId: "ops-agent" } as const;
const concierge = { tenantId: "café-lumière", agentId: "concierge" } as const;
const research = { tenantId: "initech-research", agentId: "research-agent" } as const;
const coding = { tenantId: "acme", agentId: "coding-agent" } as const;

function small(about: Omit<Story, "record">, user: string, call: ScriptedAnswer, answer: string): Story {
  return conversation(about, [{ user, answers: [call, answer] }]);
}

export const EVERYDAY_STORIES: readonly Story[] = [
  small(
    { ...ops, userId: "oncall", title: "Certificate of api.acme.example", endedAgoMs: 11 * HOUR },
    "When does our API certificate expire?",
    use("openssl", { host: "api.acme.example:443" }, "notAfter=Jan 14 23:59:59 2027 GMT", 280),
    "On **14 January 2027**.",
  ),
  small(
    { ...ops, userId: "kim", title: "Slowest endpoints this week", endedAgoMs: 3 * DAY },
    "Which endpoints were slowest this week?",
    use(
      "query_metrics",
      { metric: "http_p99", range: "7d", top: 3 },
      "POST /reports 4.1s\nGET /search 1.9s\nPOST /import 1.2s",
      280,
    ),
    "1. `POST /reports` (p99 4.1 s)\n2. `GET /search` (1.9 s)\n3. `POST /import` (1.2 s)",
  ),
  small(
    { ...ops, userId: "", title: "Nightly backup check", endedAgoMs: 16 * HOUR },
    "Check last night's backups.",
    use("list_backups", { since: "24h" }, "db-1 ok 41 GB\ndb-2 ok 39 GB\nfiles ok 210 GB", 280),
    "All three are there and of the usual size.",
  ),
  small(
    { ...concierge, userId: "zoë", title: "Table for two on Friday", endedAgoMs: 55 * MINUTE },
    "A table for two on Friday at eight?",
    use("find_table", { day: "Friday", time: "20:00", people: 2 }, "free: 20:15, terrace", 280),
    "At **20:15 on the terrace** there is one. Shall I book it?",
  ),
  small(
    { ...concierge, userId: "josé", title: "Allergens in the tarte", endedAgoMs: 4 * DAY },
    "Are there nuts in the tarte aux tomates?",
    use("recipe", { dish: "tarte aux tomates" }, "flour, butter, tomatoes, Dijon mustard, thyme", 280),
    "No nuts. It has **gluten, milk and mustard**.",
  ),
  small(
    { ...research, userId: "samir", title: "Who first measured the speed of light?", endedAgoMs: 5 * DAY },
    "Who first measured the speed of light, and how far off was he?",
    use(
      "web_search",
      { query: "first measurement speed of light Rømer 1676" },
      "Ole Rømer, 1676: about 220,000 km/s",
      280,
    ),
    "**Ole Rømer**, 1676, from the moons of Jupiter: about 220,000 km/s, 27 % too low.",
  ),
  small(
    { ...research, userId: "peter.g", title: "Summarise the quarterly figures", endedAgoMs: 6 * DAY },
    "Sum up the quarterly figures in three lines.",
    use("read_file", { path: "q3.csv" }, "region,revenue\nnorth,1.2M\nsouth,0.9M\nwest,1.6M", 280),
    "- Revenue **3.7 M**\n- West leads (1.6 M)\n- South is down for the second time",
  ),
  small(
    {
      ...coding,
      userId: "linus@acme.example",
      title: "Why is the Docker image 1.4 GB?",
      endedAgoMs: 2 * DAY,
    },
    "Why is our image 1.4 GB?",
    use(
      "run",
      { command: "docker history app:latest --no-trunc | head -3" },
      "COPY . .  912MB\nRUN npm ci  381MB",
      280,
    ),
    "`COPY . .` takes `.git` and `coverage/` along (912 MB). A `.dockerignore` with both brings it to **490 MB**.",
  ),
  small(
    { ...coding, userId: "ada@acme.example", title: "Rename `Cust` to `Customer`", endedAgoMs: 7 * DAY },
    "Rename the class Cust to Customer everywhere.",
    use("run", { command: "npx tsc-rename Cust Customer" }, "31 files changed", 280),
    "Renamed in 31 files; types and tests are green.",
  ),
];
