import type { Ticket } from "../../web/api/support_api.ts";
import { ALICE, ago, DAY, HOUR } from "./fake_alerts.ts";
import { pageOf } from "./fake_page.ts";

/** The fake server's tickets and feedback. */
export type SupportScene = { tickets: Ticket[] };

export function aTicket(more: Partial<Ticket> = {}): Ticket {
  return {
    reference: "BB-7K3F-92QX",
    kind: "ticket",
    type: "technical",
    priority: "high",
    state: "answered",
    title: "No mails",
    subject: "No mails",
    firstName: "Alice",
    lastName: "Archer",
    email: ALICE,
    company: null,
    createdAt: ago(DAY),
    changedAt: ago(HOUR),
    closedAt: null,
    messages: [
      { by: "sender", text: "Since Monday.\n\nNothing arrives.", at: ago(DAY) },
      { by: "staff", text: "Please look at https://breachbell.example/service-status first.", at: ago(HOUR) },
    ],
    ...more,
  };
}

/** One of each state, with long and right-to-left texts. */
export function someTickets(): Ticket[] {
  const long = "A-very-long-word-without-any-place-to-break-it-that-somebody-pasted-from-a-log-file";
  return [
    aTicket(),
    aTicket({ reference: "BB-2222-2222", state: "open", title: `${long} 🐝`, priority: "critical" }),
    aTicket({ reference: "BB-3333-3333", state: "closed", title: "لا تصل الرسائل", closedAt: ago(HOUR) }),
    aTicket({
      reference: "BB-4444-4444",
      kind: "feedback",
      type: "critique",
      priority: null,
      subject: null,
      title: "Fewer",
    }),
  ];
}

type Sent = Partial<Ticket> & { description?: string; text?: string };

/** The response to a call about tickets; undefined for any other call. */
export function answerSupport(
  stage: SupportScene,
  call: string,
  { query, sent }: { query: URLSearchParams; sent: unknown },
) {
  const body = (sent ?? {}) as Sent;
  if (call === "POST /api/support/tickets" || call === "POST /api/support/feedback") {
    const kind = call.endsWith("tickets") ? "ticket" : "feedback";
    const title = body.subject ?? body.description ?? "";
    const messages: Ticket["messages"] = [{ by: "sender", text: body.description ?? "", at: ago(0) }];
    const ticket = aTicket({
      reference: "BB-9999-9999",
      kind,
      state: "open",
      title,
      messages,
      email: body.email ?? ALICE,
    });
    stage.tickets = [ticket, ...stage.tickets];
    return ticket;
  }
  if (call === "GET /api/support/tickets")
    return pageOf(
      stage.tickets.filter(({ kind }) => kind === query.get("kind")),
      query,
    );
  if (call === "GET /api/staff/tickets") {
    const found = stage.tickets.filter(({ state }) => ["", state].includes(query.get("state") ?? ""));
    const sender = { sender: "Alice Archer", email: ALICE };
    return pageOf(
      found.map((ticket) => ({ ...ticket, ...sender })),
      query,
    );
  }
  const [, seen] = /^GET \/api\/staff\/tickets\/([\w-]+)$/.exec(call) ?? [];
  const asked = stage.tickets.find((ticket) => ticket.reference === seen);
  if (asked) return { ...asked, language: "fr", accountId: "a11ce000-0000-4000-8000-000000000001" };
  const [, reference, act] = /^\w+ \/api\/support\/tickets\/([\w-]+)(?:\/(\w+))?$/.exec(call) ?? [];
  const before = stage.tickets.find((ticket) => ticket.reference === reference);
  if (!before) return undefined;
  const after = { ...before, ...changed(before, act, body) };
  stage.tickets = stage.tickets.map((ticket) => (ticket === before ? after : ticket));
  return after;
}

function changed({ messages }: Ticket, act: string | undefined, { text = "" }: Sent): Partial<Ticket> {
  if (act === "close") return { state: "closed", closedAt: ago(0) };
  if (act === "reopen") return { state: "open", closedAt: null };
  return act === "messages" ? { state: "open", messages: [...messages, { by: "sender", text, at: ago(0) }] } : {};
}
