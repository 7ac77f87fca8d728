import { Anchor, MultiSelect } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";
import { type Channel, MAX_CONTACTS } from "../../src/shared/contacts.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import classes from "./contact_list.module.css";
import { contactName } from "./contact_name.ts";

export type ContactListProps = {
  channel: Channel;
  isOff?: boolean;
  value?: string[];
  onChange?: (value: string[]) => void;
  error?: string;
};

/** The devices that get notifications, chosen from those that the account has connected. */
export function DeviceList({ channel, isOff = false, value = [], error, ...props }: ContactListProps) {
  const text = useText();
  const { lang } = useParams();
  const { data } = useQuery(contactsQuery());
  const devices = (data?.items ?? []).filter((contact) => contact.channel === channel);
  // One that is chosen stays in the list, even if it is not among the first contacts.
  const others = value.filter((one) => devices.every((device) => device.value !== one));
  const choices = [
    ...devices.map((device) => ({ value: device.value, label: contactName(device) })),
    ...others.map((one) => ({ value: one, label: one })),
  ];
  return (
    <div className={classes.field}>
      <MultiSelect
        {...props}
        value={value}
        label={text(`contacts.${channel}`)}
        description={isOff ? text("channel.not_set_up") : text(`contacts.${channel}_hint`, { max: MAX_CONTACTS })}
        disabled={isOff && value.length === 0}
        placeholder={text(`contacts.${channel}_placeholder`)}
        data={choices}
        maxValues={MAX_CONTACTS}
        nothingFoundMessage={text("contacts.webpush_none")}
        aria-invalid={error ? true : undefined}
        error={error}
      />
      <Anchor component={Link} to={`/${lang}/contacts`} size="sm" underline="always">
        {text("contacts.webpush_connect")}
      </Anchor>
    </div>
  );
}
