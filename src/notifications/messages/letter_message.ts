import type { Content } from "./content.ts";
import { type MailSource, mailOf, paragraph, sayIn } from "./message.ts";

/** Reminds of a letter whose deadline has passed. It names no company, as others may read a contact. */
export function letterContent(source: MailSource): Content {
  const { params, language, publicUrl } = source;
  const { sentOn = "", dueOn = "" } = params;
  const say = sayIn("letter_due", source, { sent: new Date(sentOn), due: new Date(dueOn) });
  return mailOf(language, say, {
    blocks: [
      paragraph(say("what")),
      paragraph(say("next")),
      { kind: "button", label: say("button"), url: `${publicUrl}/${language}/letters` },
    ],
  });
}
