import { Button, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconCircleCheck, IconClock } from "@tabler/icons-react";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { Alias, AssociationDetails } from "../api/api.ts";
import { remove } from "../api/call.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { AliasForm } from "./alias_form.tsx";
import classes from "./aliases.module.css";
import { aliasesQuery } from "./queries.ts";
import form from "./track_form.module.css";

type Props = { association: Pick<AssociationDetails, "id" | "address"> };

/** Further addresses of the account's own address, and a form to add some. */
export function Aliases({ association: { id, address } }: Props) {
  const text = useText();
  const query = useQuery(aliasesQuery(id));
  return (
    <Card as="section" label={text("alias.title")} className={`${form.card} ${classes.section}`}>
      <Title order={2} size="h3">
        {text("alias.title")}
      </Title>
      <Text c="dimmed">{text("alias.lead", { address })}</Text>
      <Fetched query={query} failureTitle={text("alias.load_failed")} height={120}>
        {({ items }) => (items.length === 0 ? <Text>{text("alias.none")}</Text> : <List id={id} aliases={items} />)}
      </Fetched>
      <Title order={3} size="h4">
        {text("alias.add_title")}
      </Title>
      <AliasForm id={id} />
    </Card>
  );
}

function List({ id, aliases }: { id: string; aliases: Alias[] }) {
  return (
    <ul className={classes.list}>
      {aliases.map((alias) => (
        <Row key={alias.id} id={id} alias={alias} />
      ))}
    </ul>
  );
}

const LOOKS = {
  active: { tone: "safe", icon: IconCircleCheck },
  pending: { tone: "note", icon: IconClock },
} as const;

function Row({ id, alias }: { id: string; alias: Alias }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { address, state } = alias;
  return (
    <li className={classes.row}>
      <div className={classes.what}>
        <Address>{address}</Address>
        <Badge {...LOOKS[state]}>{text(`alias.state_${state}`)}</Badge>
        {state === "pending" && <Waiting alias={alias} />}
      </div>
      <Button variant="default" size="sm" aria-label={text("alias.remove_label", { address })} onClick={open}>
        {text("alias.remove")}
      </Button>
      <RemoveDialog id={id} alias={alias} opened={opened} onClose={close} />
    </li>
  );
}

function Waiting({ alias: { expiresAt } }: { alias: Alias }) {
  const text = useText();
  const formatDate = useFormatDate();
  return (
    <Text size="sm" c="dimmed">
      {expiresAt === null
        ? text("alias.soon")
        : text("alias.until", { date: formatDate(expiresAt, { dateStyle: "long" }) })}
    </Text>
  );
}

type DialogProps = { id: string; alias: Alias; opened: boolean; onClose: () => void };

function RemoveDialog({ id, alias, opened, onClose }: DialogProps) {
  const text = useText();
  const queryClient = useQueryClient();
  const { address } = alias;
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => remove("/api/associations/:id/aliases/:aliasId", { params: { id, aliasId: alias.id } }),
    onSuccess: () => toast.success(text("alias.removed", { address })),
    onError: useShowError("alias.remove_failed"),
    onSettled: async () => {
      onClose();
      await queryClient.invalidateQueries({ queryKey: aliasesQuery(id).queryKey });
    },
  });
  return (
    <ConfirmDialog
      opened={opened}
      title={text("alias.remove_title")}
      confirmLabel={text("alias.remove_confirm")}
      danger
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {text("alias.remove_text", { address })}
    </ConfirmDialog>
  );
}
