import { nothingWaits } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { count, halfWay, mailTo, person, registration, type Target, tracked } from "./target.ts";

/** S28: another person's contact gets one confirmation request, two more if requested manually, and nothing else. */
export async function foreignContacts(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s28@example.net");
  const friend = "friend-of-s28@example.org";
  await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, friend) });
  await mailTo(target, friend, /manage-contact#t=/);
  const listed = (await alice.call("GET", "/api/contacts")).data.items as { id: string; value: string }[];
  const contactIds = listed.filter(({ value }) => value === friend).map(({ id }) => id);
  const asked = [];
  for (let again = 0; again < 8; again++) {
    asked.push(await alice.call("POST", "/api/test-alerts", { body: { contactIds } }));
    asked.push(await alice.call("POST", `/api/contacts/${contactIds[0]}/ask`));
  }
  await nothingWaits(target.products[0]?.url ?? "");
  const mails = count(target.smtp.recipients, (address) => address === friend);
  const refused = count(asked, ({ status }) => status === 429 || status === 409);
  return [
    atMost("S28", "mails to a contact that has confirmed nothing, after 8 tests and 8 more questions", mails, 3),
    atLeast("S28", "of these, that are refused as too many", refused, 1),
  ];
}

const RECIPIENTS = [
  ...[
    "a@hostile.example,b@hostile.example",
    "a@hostile.example;b@hostile.example",
    "a@hostile.example b@hostile.example",
    "group:a@hostile.example;",
    "<a@hostile.example>",
  ],
  ...[
    '"a@hostile.example, b"@hostile.example',
    "Name <a@hostile.example>",
    "a@hostile.example\r\nBcc: b@hostile.example",
    "a@hostile.example\nRCPT TO:<b@hostile.example>",
  ],
  ...[
    "a%b@hostile.example",
    "a@b@hostile.example",
    "a@[127.0.0.1]",
    "ａ.b@hostile.example",
    "A.B@HOSTILE.EXAMPLE",
    "a+tag@hostile.example",
    "a..b@hostile.example",
    "a(comment)@hostile.example",
  ],
  ...[
    "a@hostile.example\u0000",
    "\u202ea@hostile.example",
    "a@hos\u00adtile.example",
    "a@hostile。example",
    "=?utf-8?q?a?=@hostile.example",
  ],
];

/** S42: one contact is exactly one recipient, the stored one. */
export async function oneRecipient(target: Target): Promise<Finding[]> {
  const alice = await person(target, "s42@example.net");
  const from = target.smtp.recipients.length;
  const added = await alice.call("POST", "/api/associations", { body: tracked(alice.email, true, alice.email) });
  const choose = (email: string[]) =>
    alice.call("PUT", `/api/associations/${added.data.id}`, {
      body: { owner: true, language: "en", paused: false, contacts: { email } },
    });
  const taken: string[] = [];
  for (const value of RECIPIENTS) if ((await choose([value])).status === 200) taken.push(value);
  const kept = new Set<string>([alice.email]);
  for (let start = 0; start < taken.length; start += 10) {
    await choose(taken.slice(start, start + 10));
    await nothingWaits(target.products[0]?.url ?? "");
    const stored = await target.sql`select value from notifications.contact where account_id = ${alice.id}`;
    for (const { value } of stored) kept.add(String(value));
  }
  const reached = target.smtp.recipients.slice(from).filter((one) => /hostile/i.test(one));
  const others = reached.filter((one) => !kept.has(one));
  const what = `recipients that are no stored contact, of ${RECIPIENTS.length} hostile ones (${taken.length} taken, ${reached.length} mails)`;
  return [
    atMost("S42", what, others.length, 0),
    atLeast("S42", "hostile ones that are some mailbox all the same", reached.length, 1),
  ];
}

/** S43: names and subjects that try to inject headers. */
export async function injectedHeaders(target: Target): Promise<Finding[]> {
  const evil = [
    "\r\nBcc: victim@example.org",
    "\nX-Evil: 1",
    "a\u0000b",
    "\u202eelgoog",
    "https://evil.example",
    "<b>x</b>",
    "=?utf-8?q?=0d=0aX-Evil:_1?=",
  ];
  let taken = 0;
  for (const [at, firstName] of evil.entries()) {
    const email = `s43-${at}@example.net`;
    const { status } = await target
      .browser()
      .call("POST", "/api/register", { body: { ...registration(email), firstName } });
    if (status !== 201) continue;
    taken += 1;
    await halfWay(target, email);
  }
  const alice = await person(target, "s43@example.net");
  for (const subject of evil)
    await alice.call("POST", "/api/support/tickets", {
      body: {
        key: crypto.randomUUID(),
        firstName: "Alice",
        lastName: "Meyer",
        email: alice.email,
        privacy: true,
        type: "other",
        priority: "low",
        subject: `Question ${subject}`,
        description: "How does it go?",
      },
    });
  await nothingWaits(target.products[0]?.url ?? "");
  const heads = target.smtp.received.map(({ raw }) => raw.split("\r\n\r\n")[0] ?? "");
  const written = count(heads, (head) => /^(x-evil|bcc):/im.test(head));
  return [
    atMost(
      "S43",
      `mails with a header that somebody wrote, of ${heads.length} (${taken} of ${evil.length} names taken)`,
      written,
      0,
    ),
    atMost(
      "S43",
      "mails to somebody whom a name named",
      count(target.smtp.recipients, (one) => one.startsWith("victim@")),
      0,
    ),
  ];
}

/** S44, the part without Stripe: the fake's webhook accepts only signed events. */
export async function forgedEvents(target: Target): Promise<Finding[]> {
  const now = Math.floor(Date.now() / 1000);
  const raw = JSON.stringify({
    id: "evt_1",
    type: "customer.subscription.updated",
    data: { object: { object: "customer", id: "cus_1" } },
  });
  const signatures = [
    "",
    "t=,v1=",
    `t=${now},v1=${"0".repeat(64)}`,
    `t=${now},v0=x`,
    `t=${now - 301},v1=${"a".repeat(43)}`,
    "x".repeat(5000),
  ];
  let taken = 0;
  for (const signature of signatures) {
    const { status } = await target
      .browser()
      .call("POST", "/api/stripe/webhook", { raw, headers: { "Stripe-Signature": signature } });
    taken += Number(status < 400 || status >= 500);
  }
  return [atMost("S44", `events that are taken without the right signature, of ${signatures.length}`, taken, 0)];
}
