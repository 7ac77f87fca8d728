import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { shownDomain } from "../../src/shared/shown_address.ts";
import { remove } from "../api/call.ts";
import type { Domain } from "../api/domains_api.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { domainsQuery } from "./queries.ts";

export function RemoveDomain({ domain: { id, name } }: { domain: Domain }) {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const queryClient = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useSingleMutation({
    mutationFn: () => remove("/api/domains/:id", { params: { id } }),
    onError: useShowError("domain.remove_failed"),
    async onSuccess() {
      toast.success(text("domain.removed", { domain: shownDomain(name) }));
      // Only then are the domains fetched again, as this page would find none.
      await navigate(`/${lang}/domains`);
      await queryClient.invalidateQueries(domainsQuery);
    },
  });
  return (
    <div data-screen-only>
      <Button variant="subtle" onClick={open}>
        {text("domain.remove")}
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={close}
        title={text("domain.remove_title", { domain: shownDomain(name) })}
        confirmLabel={text("domain.remove")}
        danger
        pending={isPending}
        onConfirm={() => mutate(undefined, { onSettled: close })}
      >
        {text("domain.remove_text")}
      </ConfirmDialog>
    </div>
  );
}
