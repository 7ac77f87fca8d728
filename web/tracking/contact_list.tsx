import { Pill, TagsInput } from "@mantine/core";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import { MAX_CONTACTS } from "../../src/tracking/inputs.ts";
import { useText } from "../i18n.tsx";
import classes from "./contact_list.module.css";

type Props = { label: string; value?: string[]; onChange?: (value: string[]) => void; error?: string };

/** Email contacts: typed with Enter, or several pasted at once; each can be removed with the keyboard. */
export function ContactList({ label, error, ...props }: Props) {
  const text = useText();
  return (
    <TagsInput
      {...props}
      label={label}
      description={text("track.emails_hint", { max: MAX_CONTACTS })}
      placeholder={text("track.emails_placeholder")}
      splitChars={[",", ";", " ", "\n", "\t"]}
      type="email"
      autoComplete="off"
      aria-invalid={error ? true : undefined}
      error={error}
      renderPill={({ value = "", onRemove, disabled }) => (
        <Pill
          withRemoveButton={!disabled}
          className={classes.pill}
          data-invalid={normaliseEmail(value) === undefined || undefined}
          removeButtonProps={{
            tabIndex: 0,
            "aria-hidden": false,
            "aria-label": text("track.remove_contact", { value }),
          }}
          {...(onRemove && { onRemove })}
        >
          {value}
        </Pill>
      )}
    />
  );
}
