import { Button, Group, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAlertTriangle, IconKey } from "@tabler/icons-react";
import type { ContactHealth } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";
import { hasNoSecret } from "./contact_state.ts";
import { useContactAction } from "./queries.ts";

/** Creates a webhook's signing secret and shows it once. */
export function SecretButton({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { value } = contact;
  const isFirst = hasNoSecret(contact);
  return (
    <>
      <Button
        size="compact-sm"
        {...(isFirst ? { variant: "light" } : { variant: "subtle", color: "gray" })}
        leftSection={<IconKey size={17} aria-hidden="true" />}
        aria-label={text(isFirst ? "contact_card.first_secret_label" : "contact_card.secret_label", { value })}
        onClick={open}
      >
        {text(isFirst ? "contact_card.first_secret" : "contact_card.secret")}
      </Button>
      <Dialog opened={opened} onClose={close} title={text("contact_secret.title")}>
        {opened && <NewSecret contact={contact} onClose={close} />}
      </Dialog>
    </>
  );
}

function NewSecret({ contact, onClose }: { contact: ContactHealth; onClose: () => void }) {
  const text = useText();
  const { mutate, isPending, data } = useContactAction({
    call: () => post("/api/contacts/:id/secret", { params: { id: contact.id } }),
    failureTitle: "contact_secret.failed",
  });
  if (data) return <Shown secret={data.secret} onClose={onClose} />;
  return (
    <Stack gap="md">
      <p>{text("contact_secret.lead")}</p>
      {!hasNoSecret(contact) && (
        <Notice icon={IconAlertTriangle} tone="note">
          {text("contact_secret.void")}
        </Notice>
      )}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={onClose}>
          {text("cancel")}
        </Button>
        <Button loading={isPending} onClick={() => mutate()} data-autofocus>
          {text("contact_secret.create")}
        </Button>
      </Group>
    </Stack>
  );
}

function Shown({ secret, onClose }: { secret: string; onClose: () => void }) {
  const text = useText();
  return (
    <Stack gap="md">
      <Notice icon={IconKey}>
        <div role="status">{text("contact_secret.once")}</div>
      </Notice>
      <CopyField
        label={text("contact_secret.field")}
        value={secret}
        words={{ copy: text("copy.do"), copied: text("copy.done"), failed: text("copy.failed") }}
      />
      <Group justify="flex-end">
        <Button onClick={onClose}>{text("contact_secret.done")}</Button>
      </Group>
    </Stack>
  );
}
