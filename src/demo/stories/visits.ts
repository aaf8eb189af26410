import { HOUR } from "../ago.js";
import { conversation } from "../conversation.js";
import { SHARED_SESSION_ID } from "./support.js";

/** Two pictures of one pixel each. */
const PICTURES = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
];

/** Two hours pass between its turns. */
export const diskFull = conversation(
  {
    tenantId: "default",
    agentId: "ops-agent",
    sessionId: SHARED_SESSION_ID,
    userId: "oncall",
    title: "Disk almost full on db-2",
    endedAgoMs: 4 * HOUR,
  },
  [
    {
      user: "db-2 warns that its disk is 93 % full. What takes the space?",
      answers: [
        {
          calls: [
            {
              name: "ssh",
              input: { host: "db-2", command: "du -xh --max-depth=2 /var | sort -h | tail -4" },
              output: "1.1G\t/var/cache\n9.8G\t/var/log\n212G\t/var/lib\n223G\t/var",
              ms: 2_300,
            },
          ],
        },
        {
          calls: [
            {
              name: "ssh",
              input: { host: "db-2", command: "ls -lhS /var/lib/postgresql/wal | head -3" },
              output: "total 148G\n-rw------- 1 postgres 16M 0000000100000A3F",
              ms: 1_100,
            },
          ],
        },
        {
          thinking: "148 GB of WAL means that a replication slot holds it back.",
          text: "148 GB are **WAL files** that an inactive replication slot holds back. Drop the slot of the retired replica `db-4` and they go away by themselves.",
        },
      ],
    },
    {
      user: "Dropped it. Check again please.",
      afterMs: 2 * HOUR,
      answers: [
        {
          calls: [
            {
              name: "ssh",
              input: { host: "db-2", command: "df -h /var" },
              output: "/dev/nvme1n1  250G  81G  169G  33% /var",
              ms: 900,
            },
          ],
        },
        { text: "33 % now." },
      ],
    },
  ],
);

/** A message that is more than text. */
export const pictures = conversation(
  {
    tenantId: "café-lumière",
    agentId: "concierge",
    userId: "amélie",
    title: "Which of the two photos for the menu?",
    endedAgoMs: 8 * HOUR,
  },
  [
    {
      user: [
        { type: "text", text: "Which one looks better on the menu?" },
        ...PICTURES.map((data) => ({
          type: "image",
          source: { type: "base64", media_type: "image/png", data },
        })),
      ],
      answers: [
        {
          text: "The first: warm colours read better on your cream paper. Crop it a little tighter at the top.",
        },
      ],
    },
  ],
  "claude-sonnet-4-5",
);
