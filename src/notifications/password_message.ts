import type { Language } from "../shared/language.ts";
import { PRODUCT } from "../shared/product.ts";
import type { Content } from "./content.ts";
import type { TextParams, Translate } from "./ports.ts";

type Parts = { url: string; language: Language; translate: Translate };

function speaker({ language, translate }: Parts, template: string) {
  return (key: string, params: TextParams = {}) =>
    translate(language, `mail.${template}.${key}`, { product: PRODUCT, ...params });
}

/** The link to a new password, for whoever owns the account: who asked for it is unknown. */
export function passwordResetContent({ minutes, ...parts }: Parts & { minutes: number }): Content {
  const say = speaker(parts, "password_reset");
  return {
    language: parts.language,
    subject: say("subject"),
    preview: say("preview"),
    heading: say("heading"),
    blocks: [
      { kind: "paragraph", text: say("asked") },
      { kind: "button", label: say("button"), url: parts.url },
      { kind: "paragraph", text: say("validity", { minutes }) },
    ],
    footer: [say("not_you")],
    links: [],
  };
}

/** Tells the account's owner that the password is another one, and what to do if somebody else chose it. */
export function passwordChangedContent({ changedAt, ...parts }: Parts & { changedAt: Date }): Content {
  const say = speaker(parts, "password_changed");
  return {
    language: parts.language,
    subject: say("subject"),
    preview: say("preview"),
    heading: say("heading"),
    blocks: [
      { kind: "paragraph", text: say("when", { at: changedAt }) },
      { kind: "paragraph", text: say("you") },
      { kind: "paragraph", text: say("not_you") },
      { kind: "button", label: say("button"), url: parts.url },
    ],
    footer: [say("why")],
    links: [],
  };
}
