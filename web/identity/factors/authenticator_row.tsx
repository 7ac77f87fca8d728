import { Button } from "@mantine/core";
import { IconDeviceMobileCode } from "@tabler/icons-react";
import { useState } from "react";
import { toast } from "sonner";
import { remove } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import { ConfirmAccountAction } from "../profile/account_action.tsx";
import { ProfileRow } from "../profile/profile_section.tsx";

type Props = { since: string | undefined; onSetUp: () => void; pending: boolean };

export function AuthenticatorRow({ since, onSetUp, pending }: Props) {
  const text = useText();
  const formatDate = useFormatDate();
  const [asking, setAsking] = useState(false);
  return (
    <>
      <ProfileRow
        icon={IconDeviceMobileCode}
        title={text("app.title")}
        action={
          <Button variant="default" loading={pending} onClick={since === undefined ? onSetUp : () => setAsking(true)}>
            {text(since === undefined ? "app.set_up" : "app.remove")}
          </Button>
        }
      >
        {since === undefined ? text("app.off") : text("app.on", { date: formatDate(since, { dateStyle: "long" }) })}
      </ProfileRow>
      <RemoveDialog opened={asking} onClose={() => setAsking(false)} />
    </>
  );
}

function RemoveDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const text = useText();
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("app.remove_title")}
      confirmLabel={text("app.remove")}
      call={() => remove("/api/factors/authenticator")}
      changes={["/api/factors"]}
      failureTitle="app.remove_failed"
      onDone={() => toast.success(text("app.removed"))}
      onClose={onClose}
    >
      {text("app.remove_text")}
    </ConfirmAccountAction>
  );
}
