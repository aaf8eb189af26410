import { Actor, call, type ScriptedCall, use } from "../actor.js";
import { HOUR, MINUTE, SECOND, type Story } from "../scene.js";
import { delegation } from "../sub-agent.js";

const research = { tenantId: "initech-research", agentId: "research-agent" } as const;

function search(query: string, output: string, ms = 900): ScriptedCall {
  return call("web_search", { query }, output, ms, { tokens: 2_100 });
}

const heatPumps: Story = {
  ...research,
  userId: "peter.g",
  title: "Are heat pumps worth it below −15 °C?",
  endedAgoMs: 2 * HOUR,
  record(scene) {
    const lead = new Actor(scene, 0, undefined, "claude-opus-4-5");
    lead.turn(
      "Are air-source heat pumps worth it where winters reach −15 °C? I want sources, not opinions.",
      () => {
        lead.answer({
          thinking:
            "Three questions that do not depend on each other: efficiency, cost, and what owners report. I hand each to a researcher.",
          text: "I let three researchers work at the same time.",
          calls: [efficiency(), costs(), owners()],
        });
        lead.answer({
          thinking:
            "The owners' survey is missing: its researcher ran out of time. The other two agree. I say what is missing.",
          text: REPORT,
        });
      },
    );
  },
};

function efficiency(): ScriptedCall {
  return delegation({
    agentId: "agent-efficiency",
    role: "researcher",
    displayName: "Efficiency",
    task: "Find measured (not catalogue) COP values at −10 °C and below.",
    act(agent) {
      agent.answer({
        text: "Laboratory and field figures differ, so I let two readers look at them apart.",
        calls: [
          reader("lab", "laboratory tests at −15 °C", 2.3),
          reader("field", "field measurements at −15 °C", 2.0),
        ],
      });
      return agent.answer(
        "Measured COP at −15 °C: 2.3 in the laboratory, 2.0 in the field (24 houses, 3 winters).",
      );
    },
  });
}

function reader(name: string, what: string, cop: number): ScriptedCall {
  return delegation({
    agentId: `agent-efficiency-${name}`,
    role: "reader",
    displayName: `Reader: ${name}`,
    model: "claude-haiku-4-5",
    task: `Read what there is on ${what}, and give one number with its spread.`,
    act(agent) {
      agent.answer({
        calls: [
          search(`heat pump COP ${what}`, `11 results. Best: "Cold climate ${name} study", COP ${cop} ± 0.2`),
        ],
      });
      const table = `Table 4: −15 °C: COP ${cop} ± 0.2 (n = 24)`;
      agent.answer(
        use("read_page", { url: `https://heat.example/${name}` }, table, 1_400, { tokens: 5_300 }),
      );
      return agent.answer(`COP ${cop} ± 0.2 at −15 °C`);
    },
  });
}

function costs(): ScriptedCall {
  return delegation({
    agentId: "agent-costs",
    role: "researcher",
    displayName: "Costs",
    task: "What do a heat pump and a gas boiler cost over 15 years at today's prices?",
    act(agent) {
      agent.answer({
        calls: [search("heat pump gas boiler lifetime cost 2026", "9 results, 3 with figures for 15 years")],
      });
      agent.answer({
        calls: [
          call("calculate", { expression: "11800 + 15 * 1040" }, "27400", 4),
          call("calculate", { expression: "7900 + 15 * 1510" }, "30550", 4),
        ],
      });
      return agent.answer("Over 15 years: heat pump 27,400 EUR, gas boiler 30,550 EUR.");
    },
  });
}

function owners(): ScriptedCall {
  return delegation({
    agentId: "agent-owners",
    role: "researcher",
    displayName: "Owners",
    task: "What do owners in Finland and Norway report?",
    outcome: "timed_out",
    error: "No result within 60 s",
    act(agent) {
      agent.answer({
        calls: [search("kyselytutkimus ilmalämpöpumppu omistajat", "2 results, both behind a login", 8_000)],
      });
      const url = "https://survey.example/owners";
      agent.answer(use("read_page", { url }, "503 Service Unavailable", 30_000, { isError: true }));
      agent.wait(18_000);
      return "";
    },
  });
}

const stillRunning: Story = {
  ...research,
  userId: "milton",
  title: "Compare vector databases for 50 million documents",
  endedAgoMs: 20 * SECOND,
  record(scene) {
    const lead = new Actor(scene, 0, undefined, "claude-opus-4-5");
    lead.turn(
      "Compare three vector databases for 50 million documents, on one machine.",
      () => {
        lead.answer({
          calls: ["pgvector", "qdrant", "lancedb"].map((name, index) =>
            delegation({
              agentId: `agent-${name}`,
              role: "researcher",
              displayName: name,
              task: `Index build time, memory and recall of ${name} at 50 million documents.`,
              outcome: index === 0 ? "completed" : "running",
              act(agent) {
                agent.answer({
                  calls: [search(`${name} 50M benchmark recall memory`, `14 results on ${name}`)],
                });
                if (index > 0) agent.wait(2 * MINUTE);
                agent.answer(`${name}: figures found for 10 and 100 million, I interpolate.`);
                return `${name}: 61 GB, recall 0.97 at 12 ms`;
              },
            }),
          ),
        });
      },
      { open: true },
    );
  },
};

const REPORT = `# Heat pumps below −15 °C

**Yes, with a caveat.** At −15 °C a heat pump still gives about twice the heat that it takes in.

| | Heat pump | Gas boiler |
|---|---:|---:|
| COP at −15 °C (field) | 2.0 ± 0.2 | n/a |
| Cost over 15 years | 27,400 EUR | 30,550 EUR |

1. Laboratory figures (2.3) are **15 % too kind**; plan with 2.0.
2. A heating rod covers the few hours below −20 °C.

> What owners report is missing: that researcher ran out of time.
`;

export const RESEARCH_STORIES: readonly Story[] = [heatPumps, stillRunning];
