import { Pill, TagsInput } from "@mantine/core";
import {
  type Channel,
  type ConnectedChannel,
  contactError,
  contactValue,
  isConnected,
  MAX_CONTACTS,
} from "../../src/shared/contacts.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import { ConnectedList, type ContactListProps } from "./connected_list.tsx";
import classes from "./contact_list.module.css";
import { typedName } from "./contact_name.ts";
import { InboxLink } from "./inbox_link.tsx";

/** Separators between pasted contacts; all other characters can be part of a webhook address. */
const SPACES = [" ", "\n", "\t"];

/** The contacts of a channel: each confirmed with Enter, or several pasted at once; each removable by keyboard. */
export function ContactList(props: ContactListProps) {
  const { channel, ...more } = props;
  return isConnected(channel) ? (
    <ConnectedList channel={channel} {...more} />
  ) : (
    <TypedList channel={channel} {...more} />
  );
}

function TypedList({ channel, isOff = false, error, ...props }: ContactListProps<Exclude<Channel, ConnectedChannel>>) {
  const text = useText();
  const errorText = useErrorText();
  const invalid = props.value?.find((value) => contactValue(channel, value) === undefined);
  const shown = invalid === undefined ? error : errorText(contactError(channel, invalid));
  return (
    <div className={classes.field}>
      <TagsInput
        {...props}
        label={text(`contacts.${channel}`)}
        description={isOff ? text("channel.not_set_up") : text(`contacts.${channel}_hint`, { max: MAX_CONTACTS })}
        disabled={isOff && props.value?.length === 0}
        placeholder={text(`contacts.${channel}_placeholder`)}
        splitChars={channel === "webhook" ? SPACES : [",", ";", ...SPACES]}
        type={channel === "email" ? "email" : "text"}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        classNames={{ inputField: classes.typed ?? "" }}
        aria-invalid={shown ? true : undefined}
        error={shown}
        renderPill={({ value = "", onRemove, disabled }) => (
          <Pill
            withRemoveButton={!disabled}
            className={classes.pill}
            data-invalid={contactValue(channel, value) === undefined || undefined}
            removeButtonProps={{
              tabIndex: 0,
              "aria-hidden": false,
              "aria-label": text("contacts.remove", { value: typedName({ channel, value }) }),
            }}
            {...(onRemove && { onRemove })}
          >
            {typedName({ channel, value })}
          </Pill>
        )}
      />
      <InboxLink channel={channel} />
    </div>
  );
}
