import { Checkbox, Text } from "@mantine/core";
import { useId } from "react";
import type { Channel } from "../../src/shared/contacts.ts";
import type { Field } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { ContactList } from "../ui/contact_list.tsx";
import type { ContactValues } from "./contact_values.ts";
import classes from "./track_form.module.css";

type Props = {
  field: Field;
  values: ContactValues;
  channels: readonly Channel[];
  /** A method was ticked or unticked. */
  onChoose: () => void;
};

/** How somebody is told: each way with its contacts. */
export function MethodsField({ field, values, channels, onChoose }: Props) {
  const text = useText();
  const problemId = useId();
  const { error: problem } = field("methods");
  return (
    <fieldset className={classes.methods} aria-describedby={problem ? problemId : undefined}>
      <legend>{text("track.methods")}</legend>
      {problem && (
        <Text id={problemId} role="alert" size="sm" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      {channels.map((channel) => {
        const { onChange, ...method } = field(`methods.${channel}`, "checkbox");
        return (
          <div key={channel} className={classes.method}>
            <Checkbox
              label={text(`channel.${channel}`)}
              description={text(`track.${channel}_hint`)}
              aria-invalid={problem ? true : undefined}
              {...method}
              onChange={(event) => {
                onChoose();
                onChange(event);
              }}
            />
            {values.methods[channel] && <ContactList channel={channel} {...field(`contacts.${channel}`)} />}
          </div>
        );
      })}
    </fieldset>
  );
}
