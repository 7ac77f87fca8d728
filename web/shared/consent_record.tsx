import type { ConsentScope } from "../../src/shared/consent.ts";
import type { Language } from "../../src/shared/language.ts";
import { useText } from "../app/i18n.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { nameOf } from "../ui/frame/language_picker.tsx";
import classes from "./consent_record.module.css";
import { useScopeText } from "./scope_choice.tsx";

type Act = "asked" | "reminded" | "accepted" | "declined" | "scope_changed" | "cancelled" | "withdrawn" | "expired";
type Entry = {
  at: string;
  act: Act;
  by: "owner" | "inviter" | "system";
  scope: ConsentScope | null;
  language: Language;
  wording: string;
};

/** The history of a consent: who agreed to what and when, with the text they read. Both parties see the same. */
export function ConsentRecord({ entries, inviter }: { entries: Entry[]; inviter: string }) {
  const text = useText();
  const scopeText = useScopeText();
  return (
    <ol className={classes.entries}>
      {entries.map(({ at, act, by, scope, language, wording }) => (
        <li key={`${at} ${act}`}>
          <p className={classes.act}>{text(`record.${act}`, { by, inviter })}</p>
          {scope && <p>{scopeText(scope)}</p>}
          <p className={classes.when}>
            <Moment iso={at} withTime /> · {text("record.wording", { language: nameOf(language), wording })}
          </p>
        </li>
      ))}
    </ol>
  );
}
