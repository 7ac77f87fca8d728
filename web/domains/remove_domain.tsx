import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { type Domain, domainsApi } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { ConfirmDialog } from "../ui/dialog/confirm_dialog.tsx";
import { domainQuery, useDomainAction } from "./queries.ts";

export function RemoveDomain({ domain: { id, name } }: { domain: Domain }) {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const queryClient = useQueryClient();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useDomainAction({
    call: async () => {
      await domainsApi.remove(id);
    },
    failureTitle: "domain.remove_failed",
    onDone() {
      toast.success(text("domain.removed", { domain: name }));
      queryClient.removeQueries(domainQuery(id));
      void navigate(`/${lang}/domains`);
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
        title={text("domain.remove_title", { domain: name })}
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
