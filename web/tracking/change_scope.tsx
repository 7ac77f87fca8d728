import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { toast } from "sonner";
import type { Agreement, WatchedBy } from "../api/api.ts";
import { put } from "../api/call.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { useAction } from "./queries.ts";
import { ScopeDialog } from "./scope_dialog.tsx";

/** Changes the scope granted to another account. */
export function ChangeScope({ grant: { id, inviter, scope } }: { grant: WatchedBy }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: (agreement: Agreement) => put("/api/grants/:id/scope", { params: { id }, body: agreement }),
    failureTitle: "grants.failed",
    onDone: () => toast.success(text("grants.scope_changed", inviter)),
  });
  const language = useLanguage();
  return (
    <>
      <Button variant="default" size="sm" aria-label={text("grants.change_label", inviter)} onClick={open}>
        {text("grants.change")}
      </Button>
      <ScopeDialog
        opened={opened}
        title={text("grants.change_title")}
        words={text("grants.change_text")}
        submitLabel={text("update.save")}
        name={inviter.name}
        initial={scope}
        pending={isPending}
        onSubmit={(next) => mutate({ ...next, language }, { onSettled: close })}
        onClose={close}
      />
    </>
  );
}
