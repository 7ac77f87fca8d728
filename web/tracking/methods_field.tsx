import { Checkbox, Text } from "@mantine/core";
import { useId } from "react";
import { isChat } from "../../src/shared/chats.ts";
import type { Channel } from "../../src/shared/contacts.ts";
import type { Language } from "../../src/shared/language.ts";
import { useText } from "../app/i18n.tsx";
import type { Field } from "../forms/forms.ts";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { ContactList } from "../shared/contact_list.tsx";
import { useFormChannels } from "../shared/form_channels.tsx";
import { isOff } from "../shared/offered_channels.ts";
import { ConnectChats } from "./connect_chats.tsx";
import type { ContactValues } from "./contact_values.ts";
import { MethodState } from "./method_state.tsx";
import classes from "./track_form.module.css";

type Props = {
  field: Field;
  values: ContactValues & { language: Language };
  /** The channels that this server has configured; undefined while unknown. */
  offered: readonly Channel[] | undefined;
  /** Called when a channel is selected or deselected. */
  onChoose: () => void;
};

/** Selects channels with their contacts. */
export function MethodsField({ field, values, offered, onChoose }: Props) {
  const text = useText();
  const nameOf = useChannelName();
  const problemId = useId();
  const { error: problem } = field("methods");
  // A channel that is no longer on offer is shown while it still has contacts.
  const isUsed = (channel: Channel) => values.contacts[channel].length > 0;
  const { channels, more } = useFormChannels(offered, isUsed);
  return (
    <fieldset className={classes.methods} aria-describedby={problem ? problemId : undefined}>
      <legend>{text("track.methods")}</legend>
      {problem && (
        <Text id={problemId} role="alert" size="sm" c="var(--mantine-color-error)">
          {problem}
        </Text>
      )}
      {channels.map((channel) => {
        const off = isOff(channel, offered);
        const { onChange, ...method } = field(`methods.${channel}`, "checkbox");
        const isChosen = values.methods[channel];
        return (
          <div key={channel} className={classes.method} data-off={off || undefined}>
            <div className={classes.channel}>
              <ChannelIcon channel={channel} />
              <Checkbox
                className={classes.choice}
                label={nameOf(channel)}
                description={text(off ? "channel.not_set_up" : `track.${isChat(channel) ? "chat" : channel}_hint`)}
                disabled={off && !isUsed(channel)}
                aria-invalid={problem ? true : undefined}
                {...method}
                onChange={(event) => {
                  onChoose();
                  onChange(event);
                }}
              />
              {isChosen && !off && <MethodState channel={channel} contacts={values.contacts[channel]} />}
            </div>
            {isChosen && <ContactList channel={channel} {...field(`contacts.${channel}`)} />}
            {isChosen && channel === "telegram" && !off && (
              <ConnectChats names={values.contacts.telegram} language={values.language} />
            )}
          </div>
        );
      })}
      {more}
    </fieldset>
  );
}
