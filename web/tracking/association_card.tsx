import { Anchor, Button, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconBellRinging, IconMailExclamation, IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Link, useParams } from "react-router";
import { toast } from "sonner";
import type { Association, Contact } from "../api.ts";
import { useShowError } from "../errors.tsx";
import { useText } from "../i18n.tsx";
import { Address } from "../ui/address.tsx";
import { Badge } from "../ui/badge.tsx";
import { Card } from "../ui/card.tsx";
import { ConfirmDialog } from "../ui/confirm_dialog.tsx";
import { Ago } from "../ui/dates.tsx";
import { nameOf } from "../ui/language_picker.tsx";
import classes from "./association_card.module.css";
import { useStopTracking } from "./queries.ts";
import { CONTACT_NOTICE, STATUS } from "./status.ts";

/** One tracked address: how it stands, when it is checked, and where its alerts go. */
export function AssociationCard({ association }: { association: Association }) {
  const text = useText();
  const { address, status, checkedAt, nextCheckAt, language } = association;
  const { tone, icon, label, meaning } = STATUS[status];
  return (
    <Card as="li" className={classes.card}>
      <div className={classes.head}>
        <div className={classes.name}>
          <h3 className={classes.address}>
            <Address>{address}</Address>
          </h3>
          <Badge tone={tone} icon={icon}>
            {text(label)}
          </Badge>
        </div>
        <Remove association={association} />
      </div>
      <Text size="sm" c="dimmed">
        {text(meaning)}
      </Text>
      <dl className={classes.facts}>
        <Fact label={text("association.last_check")}>
          {checkedAt ? <Ago iso={checkedAt} /> : text("association.never")}
        </Fact>
        <Fact label={text("association.next_check")}>
          {nextCheckAt ? <Ago iso={nextCheckAt} /> : text("association.none")}
        </Fact>
        <Fact label={text("association.pending")}>
          <PendingAlerts association={association} />
        </Fact>
        <Fact label={text("association.language")}>{nameOf(language)}</Fact>
        <Fact label={text("association.contacts")} wide>
          <ul className={classes.contacts}>
            {association.contacts.map((contact) => (
              <ContactLine key={`${contact.channel} ${contact.value}`} contact={contact} />
            ))}
          </ul>
        </Fact>
      </dl>
    </Card>
  );
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div data-wide={wide || undefined}>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PendingAlerts({ association: { address, pendingAlerts } }: { association: Association }) {
  const text = useText();
  const { lang } = useParams();
  if (pendingAlerts === 0) return text("association.no_alerts");
  return (
    <Anchor
      component={Link}
      to={`/${lang}/alerts?search=${encodeURIComponent(address)}`}
      className={classes.alerts}
      fw={600}
      inherit
    >
      <IconBellRinging size={17} aria-hidden="true" />
      {text("association.alerts", { count: pendingAlerts })}
    </Anchor>
  );
}

function ContactLine({ contact: { value, state } }: { contact: Contact }) {
  const text = useText();
  return (
    <li>
      <Address>{value}</Address>
      {state !== "active" && (
        <Badge tone={state === "broken" ? "alarm" : "note"} icon={IconMailExclamation}>
          {text(CONTACT_NOTICE[state])}
        </Badge>
      )}
    </li>
  );
}

function Remove({ association }: { association: Association }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useStopTracking();
  const showError = useShowError("association.remove_failed");
  const { address } = association;
  function remove() {
    mutate(association, {
      onSuccess: () => toast.success(text("association.removed", { address })),
      onError: showError,
      onSettled: close,
    });
  }
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTrash size={17} aria-hidden="true" />}
        aria-label={text("association.remove_label", { address })}
        onClick={open}
      >
        <span className={classes.removeLabel}>{text("association.remove")}</span>
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("association.remove_title")}
        confirmLabel={text("association.remove_confirm")}
        danger
        pending={isPending}
        onConfirm={remove}
        onClose={close}
      >
        {text("association.remove_text", { address })}
      </ConfirmDialog>
    </>
  );
}
