import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { Link } from "react-router";
import { toast } from "sonner";
import { type ContactHealth, isApiError } from "../api/api.ts";
import { remove } from "../api/call.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { contactName } from "../shared/contact_name.ts";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Address } from "../ui/display/address.tsx";
import classes from "./contact_card.module.css";

/** Removes a contact everywhere, after confirmation that names the addresses for which it is the only one. */
export function RemoveContact({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending, bare, clearBare } = useRemoval(contact, close);
  const value = contactName(contact);
  return (
    <>
      <Button
        variant="subtle"
        color="gray"
        size="compact-sm"
        leftSection={<IconTrash size={17} aria-hidden="true" />}
        aria-label={text("contact_card.remove_label", { value })}
        onClick={open}
      >
        {text("contact_card.remove")}
      </Button>
      <ConfirmDialog
        opened={opened}
        title={text("contact_remove.title")}
        confirmLabel={text("contact_remove.confirm")}
        danger
        pending={isPending}
        onConfirm={() => mutate()}
        onClose={close}
      >
        {text("contact_remove.text", { value })}
      </ConfirmDialog>
      <Dialog opened={bare !== undefined} onClose={clearBare} title={text("contact_remove.failed")}>
        <p>{text("contact_remove.last")}</p>
        <Bare addresses={bare ?? []} contact={contact} />
      </Dialog>
    </>
  );
}

function useRemoval(contact: ContactHealth, close: () => void) {
  const text = useText();
  const refresh = useRefreshContacts();
  const showError = useShowError("contact_remove.failed");
  const [bare, setBare] = useState<string[]>();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => remove("/api/contacts/:id", { params: { id: contact.id } }),
    onSuccess: () => toast.success(text("contact_remove.done", { value: contactName(contact) })),
    onError(error) {
      const addresses = isApiError(error) && error.code === "CONTACT_IS_LAST" ? Object.keys(error.fields) : [];
      if (addresses.length > 0) setBare(addresses);
      else showError(error);
    },
    onSettled() {
      close();
      void refresh();
    },
  });
  return { mutate, isPending, bare, clearBare: () => setBare(undefined) };
}

function Bare({ addresses, contact: { usedBy } }: { addresses: string[]; contact: ContactHealth }) {
  return (
    <ul className={classes.bare}>
      {addresses.map((address) => {
        const use = usedBy.find((one) => one.address === address);
        return (
          <li key={address}>
            {use ? (
              <Anchor component={Link} to={`../update-track/${use.associationId}`}>
                <Address>{address}</Address>
              </Anchor>
            ) : (
              <Address>{address}</Address>
            )}
          </li>
        );
      })}
    </ul>
  );
}
