import { VisuallyHidden } from "@mantine/core";
import { IconCircle, IconCircleCheckFilled, IconPointFilled } from "@tabler/icons-react";
import { type PasswordRule, passwordRules } from "../../../src/identity/inputs.ts";
import { useText } from "../../app/i18n.tsx";
import type { TextId } from "../../app/text_id.ts";
import classes from "./password_checklist.module.css";

const LABELS = {
  PASSWORD_TOO_SHORT: "password.length",
  PASSWORD_TOO_LONG: "password.not_too_long",
  PASSWORD_NO_LOWERCASE: "password.lowercase",
  PASSWORD_NO_UPPERCASE: "password.uppercase",
  PASSWORD_NO_DIGIT: "password.digit",
} as const satisfies Record<PasswordRule, TextId>;

/** The rules that an empty password breaks are the rules to list. */
const NEEDED = passwordRules("");

/** Rules that only the server can check. */
const CHECKED_LATER = ["password.uncommon", "password.dissimilar"] as const satisfies TextId[];

type Props = {
  id: string;
  password: string;
  /** Whether it replaces an existing password. */
  isRenewed?: boolean;
};

/** The password rules; those that the browser can check are ticked off while typing. */
export function PasswordChecklist({ id, password, isRenewed = false }: Props) {
  const text = useText();
  const unmet = passwordRules(password);
  return (
    <ul id={id} className={classes.rules}>
      {[...NEEDED, ...unmet.filter((rule) => !NEEDED.includes(rule))].map((rule) => {
        const met = !unmet.includes(rule);
        const Mark = met ? IconCircleCheckFilled : IconCircle;
        return (
          <li key={rule} data-met={met || undefined}>
            <Mark size={17} aria-hidden="true" />
            {text(LABELS[rule])}
            {met && <VisuallyHidden> {text("password.met")}</VisuallyHidden>}
          </li>
        );
      })}
      {[...CHECKED_LATER, ...(isRenewed ? (["password.different"] as const) : [])].map((rule) => (
        <li key={rule}>
          <IconPointFilled size={17} aria-hidden="true" />
          {text(rule)}
        </li>
      ))}
    </ul>
  );
}
