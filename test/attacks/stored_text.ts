import { eventually } from "../e2e/product.ts";
import { atLeast, atMost, type Finding } from "../faults/bench.ts";
import { MARKUP_ATTACKS } from "../support/markup_attacks.ts";
import type { Size } from "./goal.ts";
import { count, person, type Target } from "./target.ts";

const STAFF = "help@example.org";
const AT_ONCE = 12;
const LONGEST = 300;

/** S33, the part in mails: what a user wrote to the staff is plain text in their mail. */
export async function markupInMails(target: Target, { long }: Size): Promise<Finding[]> {
  // Some are longer than a ticket may be.
  const attacks = MARKUP_ATTACKS.map((attack) => attack.slice(0, LONGEST)).slice(0, long ? undefined : 2 * AT_ONCE);
  const writer = await person(target, "s33@example.net");
  const marks: string[] = [];
  for (let start = 0; start < attacks.length; start += AT_ONCE) {
    const part = attacks.slice(start, start + AT_ONCE);
    const mark = `markup from ${start} on`;
    const { status } = await writer.call("POST", "/api/support/tickets", {
      body: {
        key: crypto.randomUUID(),
        firstName: "Alice",
        lastName: "Meyer",
        email: writer.email,
        privacy: true,
        type: "other",
        priority: "low",
        subject: (part[0] ?? "").slice(0, 100),
        description: [...part, mark].join("\n"),
      },
    });
    if (status === 201 || status === 200) marks.push(mark);
  }
  const mails = await eventually("the mails to the staff arrive", () => {
    const arrived = marks.map((mark) =>
      target.smtp.received.find(({ to, mail }) => to.includes(STAFF) && mail.html?.includes(mark)),
    );
    const found = arrived.filter((one) => one !== undefined);
    return found.length === marks.length ? found : undefined;
  });
  const tags = mails.flatMap(
    ({ mail }) => mail.html?.match(/<(script|img|svg|iframe|object|form|math|base|link)\b[^>]*>/gi) ?? [],
  );
  // Escaped input reads like other escaped input, and "<a" alone like the beginning of our own links.
  const live = attacks.filter((attack) => /<\w+[\s/>]/.test(attack));
  const raw = count(live, (attack) => mails.some(({ mail }) => mail.html?.includes(attack)));
  return [
    atLeast("S33", "mails with these texts in them", mails.length, Math.ceil(attacks.length / AT_ONCE)),
    atMost("S33", `texts of ${live.length} that stand in a mail as markup`, raw, 0),
    atMost("S33", "tags in them that our own mails never have", tags.length, 0),
  ];
}
