import { INVITED_DAYS } from "../identity/account/registration_gate.ts";
import { normaliseEmail } from "../shared/email_address.ts";
import { FALLBACK_LANGUAGE, LANGUAGES } from "../shared/language.ts";
import { done, failed, text } from "./answer.ts";
import { command } from "./command.ts";
import { many } from "./words.ts";

const LONGEST_DAYS = 90;

export const invite = command({
  name: "users invite",
  says: "Make a link with which one address can create an account",
  more: "Hand the link over yourself. It works whatever REGISTRATION says, for this address only, and until the account exists.",
  arguments: [{ name: "email", says: "the address that is invited" }],
  options: {
    days: { kind: "number", value: "n", says: `how long the link works, at most ${LONGEST_DAYS} (${INVITED_DAYS})` },
    language: { kind: "text", value: "code", says: `of the page (${FALLBACK_LANGUAGE})`, choices: LANGUAGES },
  },
  examples: ["users invite ada@example.com", "users invite ada@example.com --language de --days 30"],
  room: "app",
  changes: true,
  refuses: ({ options: { days = INVITED_DAYS } }) =>
    days < 1 || days > LONGEST_DAYS ? `--days takes 1 to ${LONGEST_DAYS}` : undefined,
  async run({ config, product }, { arguments: [typed = ""], options: { days = INVITED_DAYS, language } }) {
    const email = normaliseEmail(typed);
    if (email === undefined) return failed("EMAIL_INVALID", `"${typed}" is no email address`);
    const made = await product.identity.inviteToRegister(email, days);
    if (!made.ok) return failed("EMAIL_TAKEN", `${email} has an account already`);
    const link = `${config.publicUrl}/${language ?? FALLBACK_LANGUAGE}/register#t=${made.value.token}`;
    return done({ email, link, days }, text(link), text(`It works for ${email}, within ${many(days, "day")}.`, "dim"));
  },
});
