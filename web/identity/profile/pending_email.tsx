import { Button } from "@mantine/core";
import { toast } from "sonner";
import type { Profile } from "../../api/api.ts";
import { remove } from "../../api/call.ts";
import { Text, useText } from "../../app/i18n.tsx";
import { Address } from "../../ui/display/address.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import { useAccountAction } from "./account_action.tsx";
import classes from "./profile.module.css";

/** A change of email that has not been confirmed yet. */
export function PendingEmail({ pending }: { pending: NonNullable<Profile["pendingEmail"]> }) {
  const text = useText();
  const formatDate = useFormatDate();
  const { mutate, isPending } = useAccountAction({
    call: () => remove("/api/profile/email"),
    changes: ["/api/profile"],
    failureTitle: "profile.email_cancel_failed",
    onDone: () => toast.success(text("profile.email_cancelled")),
  });
  return (
    <div className={classes.notice}>
      <p>
        <Text
          id="profile.email_pending"
          values={{
            email: (
              <strong key="email">
                <Address>{pending.email}</Address>
              </strong>
            ),
            date: formatDate(pending.expiresAt, { dateStyle: "medium", timeStyle: "short" }),
          }}
        />
      </p>
      <Button variant="default" size="xs" loading={isPending} onClick={() => mutate()}>
        {text("profile.email_cancel")}
      </Button>
    </div>
  );
}
