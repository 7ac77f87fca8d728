import { Button, NativeSelect, Text as Paragraph, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconFlame } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { Association, AssociationPage } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { badgeOf } from "../shared/contact_badge.ts";
import { contactName } from "../shared/contact_name.ts";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { LinkText } from "../ui/display/links.tsx";
import { addressesQuery, useDrillStep } from "./drill_queries.ts";
import classes from "./fire_drill.module.css";

type Props = { onStarted: () => void };

/** Chooses the address of the drill and shows who will be notified. */
export function DrillStart({ onStarted }: Props) {
  const text = useText();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), 250);
  const query = useQuery(addressesQuery(search));
  return (
    <Fetched query={query} failureTitle={text("drill.addresses_failed")} height={120}>
      {(page) => (
        <div className={classes.start}>
          {(page.counts.all > page.items.length || typed !== "") && (
            <TextInput
              type="search"
              label={text("drill.search")}
              value={typed}
              maxLength={254}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
          <Choice page={page} onStarted={onStarted} />
        </div>
      )}
    </Fetched>
  );
}

function Choice({ page, onStarted }: Props & { page: AssociationPage }) {
  const text = useText();
  const [wanted, setWanted] = useState<string>();
  const { mutate, isPending } = useDrillStep({
    call: (associationId: string) => post("/api/fire-drill", { body: { associationId } }),
    failureTitle: "drill.start_failed",
    onDone: onStarted,
  });
  const watched = page.items.filter(({ status }) => status !== "inactive");
  const chosen = watched.find(({ id }) => id === wanted) ?? watched[0];
  if (!chosen) return <NoAddress isAny={page.counts.all > page.counts.inactive} />;
  return (
    <>
      <NativeSelect
        label={text("drill.address")}
        data={watched.map(({ id, address }) => ({ value: id, label: shownAddress(address) }))}
        value={chosen.id}
        onChange={({ currentTarget }) => setWanted(currentTarget.value)}
      />
      <Hearers contacts={chosen.contacts} />
      <div className={classes.foot}>
        <Button
          loading={isPending}
          leftSection={<IconFlame size={18} aria-hidden="true" />}
          onClick={() => mutate(chosen.id)}
        >
          {text("drill.start")}
        </Button>
        <Paragraph size="sm" c="dimmed">
          {text("drill.lasts")}
        </Paragraph>
      </div>
    </>
  );
}

function Hearers({ contacts }: Pick<Association, "contacts">) {
  const text = useText();
  const nameOf = useChannelName();
  return (
    <div>
      <Paragraph size="sm">{text("drill.goes_to")}</Paragraph>
      <ul className={classes.hearers}>
        {contacts.map((contact) => {
          const { tone, label } = badgeOf(contact);
          return (
            <li key={`${contact.channel} ${contact.value}`}>
              <span className={classes.channel}>{nameOf(contact.channel)}</span>
              <Address>{contactName(contact)}</Address>
              {contact.state !== "active" && <Badge tone={tone}>{text(label)}</Badge>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function NoAddress({ isAny }: { isAny: boolean }) {
  const text = useText();
  if (isAny) return <Paragraph role="status">{text("drill.none_found")}</Paragraph>;
  return (
    <Paragraph>
      <LinkText id="drill.none" to="../dashboard" inherit />
    </Paragraph>
  );
}
