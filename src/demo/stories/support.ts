import { DAY, HOUR, MINUTE } from "../ago.js";
import { conversation } from "../conversation.js";
import type { Story } from "../scene.js";

const support = { tenantId: "globex", agentId: "support-agent" } as const;

const doubleCharge = conversation(
  { ...support, userId: "m.okafor", title: "Charged twice for October", endedAgoMs: 47 * MINUTE },
  [
    {
      user: "Hi, my card was charged twice for October. Order GX-20931.",
      answers: [
        {
          text: "I am sorry about that. I look at the payments of that order.",
          calls: [
            {
              name: "find_payments",
              input: { orderId: "GX-20931" },
              output: JSON.stringify([
                { id: "pay_7f1", amount: "49.00 EUR", state: "captured", at: "2026-10-01T06:00:11Z" },
                { id: "pay_7f2", amount: "49.00 EUR", state: "captured", at: "2026-10-01T06:00:14Z" },
              ]),
              ms: 240,
            },
          ],
        },
        {
          calls: [
            {
              name: "refund_payment",
              input: { paymentId: "pay_7f2", reason: "duplicate" },
              output: "refund re_19c created, 49.00 EUR, 3 to 5 banking days",
              ms: 880,
            },
          ],
        },
        {
          text: "You were right: two payments, three seconds apart. I refunded the second one (**49.00 EUR**, reference `re_19c`). It arrives within 3 to 5 banking days.",
        },
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
        {
          calls: [
            {
              name: "mail_log",
              input: { user: "lena.v", kind: "password-reset" },
              output: "4 sent, 4 bounced: 550 5.1.1 <lena.v@gmial.example>: Recipient address rejected",
              ms: 310,
            },
          ],
        },
        {
          text: "The mails go to `lena.v@gmial.example` and bounce. Is that a typo for *gmail*? I may not change an address myself; this link lets you confirm the right one by text message: https://globex.example/verify",
        },
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
            { name: "search_docs", input: { query: "export row limit" }, output: "No results.", ms: 95 },
            {
              name: "search_tickets",
              input: { query: "export 10000" },
              isError: true,
              output: "TimeoutError: ticket search did not answer within 5000 ms",
              ms: 5_000,
            },
          ],
        },
        {
          text: "The ticket search did not answer; I try once more.",
          calls: [
            {
              name: "search_tickets",
              input: { query: "export 10000" },
              output: "#4411 open: CSV export is cut at 10,000 rows. Workaround: export month by month.",
              ms: 730,
            },
          ],
        },
        {
          text: "This is a known fault (#4411). Until it is mended, **export month by month**: each file stays below the limit.",
        },
      ],
    },
  ],
);

/** The same id as a session of another tenant: two different sessions. */
export const SHARED_SESSION_ID = "00000000-0000-4000-8000-000000000042";

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
      answers: [{ text: "Under **Settings → Billing → Invoices**. Each has a PDF." }],
    },
  ],
);

export const SUPPORT_STORIES: readonly Story[] = [doubleCharge, passwordReset, exportFails, sharedId];
