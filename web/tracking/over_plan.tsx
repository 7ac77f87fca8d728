import { Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconStack2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import type { AssociationPage } from "../api/api.ts";
import { subscriptionQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { KeepForm } from "./keep_form.tsx";

/**
 * Shown if there are more addresses than the plan covers: the account chooses which stay active. `?keep` opens the
 * dialog.
 */
export function OverPlan({ page: { capacity, counts } }: { page: AssociationPage }) {
  const text = useText();
  const { data: subscription } = useQuery(subscriptionQuery);
  const [params] = useSearchParams();
  const [opened, { open, close }] = useDisclosure(params.has("keep"));
  const { used, cap } = capacity;
  // Without an active plan there is nothing to choose from.
  if (cap === null || used <= cap || subscription === undefined || subscription.status === "inactive") return null;
  return (
    <>
      <Notice
        icon={IconStack2}
        tone="note"
        action={
          counts.all > 0 && (
            <Button size="sm" variant="default" onClick={open}>
              {text("keep.choose")}
            </Button>
          )
        }
      >
        {text("keep.notice", { cap, used, over: used - cap })}
      </Notice>
      <Dialog opened={opened} onClose={close} title={text("keep.title")} size="lg">
        {opened && <KeepForm cap={cap} onClose={close} />}
      </Dialog>
    </>
  );
}
