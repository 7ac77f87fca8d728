import type { MailRequested } from "../../events/catalogue.ts";
import type { TextParams } from "../ports.ts";
import type { Content } from "./content.ts";
import { type MailSource, mailOf, paragraph, sayIn } from "./message.ts";

/** Mails about an account's plan; their texts are under `mail.<template>.`. */
export type PlanTemplate = Extract<
  MailRequested["template"],
  `trial_${string}` | `plan_${string}` | `payment_${string}`
>;

/** The paragraphs, in reading order, and the button's target. */
type Plan = { says: string[]; button: string };

const PLANS: Record<PlanTemplate, Plan> = {
  trial_ending: { says: ["what", "next"], button: "choose" },
  trial_ended: { says: ["what", "next"], button: "choose" },
  plan_started: { says: ["what", "plan_changed.less", "next"], button: "open" },
  plan_changed: { says: ["what", "plan_changed.less"], button: "open" },
  plan_ending: { says: ["what", "next"], button: "open" },
  plan_continues: { says: ["what"], button: "open" },
  plan_ended: { says: ["what", "next"], button: "choose" },
  payment_failed: { says: ["what", "next"], button: "settle" },
  payment_reminder: { says: ["what", "next"], button: "settle" },
  payment_received: { says: ["what"], button: "open" },
  plan_suspended: { says: ["what", "next"], button: "settle" },
  plan_granted: { says: ["what", "next"], button: "open" },
  plan_grant_ending: { says: ["what", "next"], button: "choose" },
  plan_grant_ended: { says: ["what", "next"], button: "choose" },
};

export const PLAN_TEMPLATES = Object.keys(PLANS) as PlanTemplate[];

/** The parameters of the texts: "5 × Professional", "50 addresses", and dates. */
function valuesOf({ params, language, translate }: MailSource): TextParams {
  const { plan, quantity = "1", cap = "", days, until, at, periodEnd } = params;
  const name = plan === undefined ? "" : translate(language, `mail.plan.${plan}`);
  const count = Number(quantity);
  const dates = Object.entries({ until, at, periodEnd }).flatMap(([key, value]) =>
    value === undefined ? [] : [[key, new Date(value)] as const],
  );
  return {
    what: count === 1 ? name : translate(language, "mail.plan.several", { count, name }),
    room:
      cap === "unlimited"
        ? translate(language, "mail.plan.unlimited")
        : translate(language, "mail.plan.room", { count: Number(cap) }),
    ...(days !== undefined && { days: Number(days) }),
    ...Object.fromEntries(dates),
  };
}

/** Tells the payer about a past or upcoming change of the plan. */
export function planContent(template: PlanTemplate, source: MailSource): Content {
  const { params, language, publicUrl } = source;
  const { says, button } = PLANS[template];
  const say = sayIn(template, source, valuesOf(source));
  const said = params.cap === "unlimited" ? says.filter((part) => part !== "plan_changed.less") : says;
  return mailOf(language, say, {
    blocks: [
      ...said.map((part) => paragraph(say(part))),
      { kind: "button", label: say(`plan.button.${button}`), url: `${publicUrl}/${language}/subscription` },
    ],
    footer: say("account.footer"),
  });
}
