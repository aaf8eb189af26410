import { call, use } from "../actor.js";
import { conversation } from "../conversation.js";
import { DAY, HOUR, MINUTE, type Story } from "../scene.js";

const support = { tenantId: "globex", agentId: "support-agent" } as const;

const PAYMENTS = JSON.stringify([
  { id: "pay_7f1", amount: "49.00 EUR", state: "captured", at: "2026-10-01T06:00:11Z" },
  { id: "pay_7f2", amount: "49.00 EUR", state: "captured", at: "2026-10-01T06:00:14Z" },
]);

const doubleCharge = conversation(
  { ...support, userId: "m.okafor", title: "Charged twice for October", endedAgoMs: 47 * MINUTE },
  [
    {
      user: "Hi, my card was charged twice for October. Order GX-20931.",
      answers: [
        {
          text: "I am sorry about that. I look at the payments of that order.",
          calls: [call("find_payments", { orderId: "GX-20931" }, PAYMENTS, 240)],
        },
        use(
          "refund_payment",
          { paymentId: "pay_7f2", reason: "duplicate" },
          "refund re_19c created, 49.00 EUR, 3 to 5 banking days",
          880,
        ),
        "You were right: two payments, three seconds apart. I refunded the second one (**49.00 EUR**, reference `re_19c`). It arrives within 3 to 5 banking days.",
      ],
    },
    {
      user: "Great, thanks! Will that happen again in November?",
      afterMs: 3 * MINUTE,
      answers: [
        {
          thinking:
            "The cause was a retry without an idempotency key; the changelog says it was mended on 2 October.",
          text: "No. A retry of ours sent the payment twice; since 2 October a payment carries a key that makes a second one impossible.",
        },
      ],
    },
  ],
);

const passwordReset = conversation(
  { ...support, userId: "lena.v", title: "Password reset mail never arrives", endedAgoMs: 3 * HOUR },
  [
    {
      user: "I asked for the password reset mail four times. Nothing in spam either.",
      answers: [
        use(
          "mail_log",
          { user: "lena.v", kind: "password-reset" },
          "4 sent, 4 bounced: 550 5.1.1 <lena.v@gmial.example>: Recipient address rejected",
          310,
        ),
        "The mails go to `lena.v@gmial.example` and bounce. Is that a typo for *gmail*? I may not change an address myself; this link lets you confirm the right one by text message: https://globex.example/verify",
      ],
    },
  ],
);

const exportFails = conversation(
  {
    ...support,
    userId: "finance@hooli.example",
    title: "CSV export stops at 10,000 rows",
    endedAgoMs: 1 * DAY,
  },
  [
    {
      user: "Export of all bookings always ends at row 10000.",
      answers: [
        {
          calls: [
            call("search_docs", { query: "export row limit" }, "No results.", 95),
            call(
              "search_tickets",
              { query: "export 10000" },
              "TimeoutError: ticket search did not answer within 5000 ms",
              5_000,
              { isError: true },
            ),
          ],
        },
        {
          text: "The ticket search did not answer; I try once more.",
          calls: [
            call(
              "search_tickets",
              { query: "export 10000" },
              "#4411 open: CSV export is cut at 10,000 rows. Workaround: export month by month.",
              730,
            ),
          ],
        },
        "This is a known fault (#4411). Until it is mended, **export month by month**: each file stays below the limit.",
      ],
    },
  ],
);

/** The same id as a session of another tenant: two different sessions. */
const SHARED_SESSION_ID = "00000000-0000-4000-8000-000000000042";

const sharedId = conversation(
  {
    ...support,
    sessionId: SHARED_SESSION_ID,
    userId: "d.ito",
    title: "Where is my invoice?",
    endedAgoMs: 2 * DAY,
  },
  [
    {
      user: "Where do I find my invoices?",
      answers: ["Under **Settings → Billing → Invoices**. Each has a PDF."],
    },
  ],
);

export const SUPPORT_STORIES: readonly Story[] = [doubleCharge, passwordReset, exportFails, sharedId];

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
        use(
          "ssh",
          { host: "db-2", command: "du -xh --max-depth=2 /var | sort -h | tail -4" },
          "1.1G\t/var/cache\n9.8G\t/var/log\n212G\t/var/lib\n223G\t/var",
          2_300,
        ),
        use(
          "ssh",
          { host: "db-2", command: "ls -lhS /var/lib/postgresql/wal | head -3" },
          "total 148G\n-rw------- 1 postgres 16M 0000000100000A3F",
          1_100,
        ),
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
        use("ssh", { host: "db-2", command: "df -h /var" }, "/dev/nvme1n1  250G  81G  169G  33% /var", 900),
        "33 % now.",
      ],
    },
  ],
);

const PICTURES = [
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==",
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
];

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
        "The first: warm colours read better on your cream paper. Crop it a little tighter at the top.",
      ],
    },
  ],
  "claude-sonnet-4-5",
);
