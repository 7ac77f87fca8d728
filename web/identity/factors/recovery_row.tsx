import { Button } from "@mantine/core";
import { IconLifebuoy } from "@tabler/icons-react";
import { useState } from "react";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { ConfirmDialog } from "../../ui/dialog/confirm_dialog.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { useAccountAction } from "../profile/account_action.tsx";
import classes from "../profile/profile.module.css";
import { ProfileRow } from "../profile/profile_section.tsx";
import { RecoveryCodes } from "./recovery_codes.tsx";

const FEW = 3;

/** `left` is undefined if the account has no second factor that the codes could replace. */
export function RecoveryRow({ left }: { left: number | undefined }) {
  const text = useText();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ProfileRow
        icon={IconLifebuoy}
        title={text("recovery.title")}
        action={
          left !== undefined && (
            <Button variant="default" onClick={() => setAsking(true)}>
              {text("recovery.make")}
            </Button>
          )
        }
      >
        {text(left === undefined ? "recovery.later" : "recovery.lead")}
        {left !== undefined && (
          <div className={classes.state}>
            <Badge tone={left < FEW ? "note" : "quiet"}>{text("recovery.left", { count: left })}</Badge>
          </div>
        )}
      </ProfileRow>
      <NewCodes opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function NewCodes({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const text = useText();
  const [codes, setCodes] = useState<string[]>();
  const { mutate, isPending } = useAccountAction({
    call: () => post("/api/factors/recovery-codes"),
    changes: ["/api/factors"],
    failureTitle: "recovery.make_failed",
    onDone: ({ recoveryCodes }) => setCodes(recoveryCodes),
  });
  const forget = () => setCodes(undefined);
  if (codes !== undefined) {
    return (
      <Dialog
        opened={opened}
        onClose={onClose}
        onExitTransitionEnd={forget}
        title={text("recovery.dialog")}
        closeOnClickOutside={false}
      >
        <RecoveryCodes codes={codes} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <ConfirmDialog
      opened={opened}
      title={text("recovery.make_title")}
      confirmLabel={text("recovery.make")}
      danger
      pending={isPending}
      onConfirm={() => mutate()}
      onClose={onClose}
    >
      {text("recovery.make_text")}
    </ConfirmDialog>
  );
}
