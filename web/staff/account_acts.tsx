import { Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { meQuery } from "../api/queries.ts";
import { type StaffAccount, staffApi } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { GrantDialog, ReasonDialog } from "./act_dialog.tsx";

type Act = "lock" | "unlock" | "remove" | "grant" | "end_grant";

/** What can be done to an account; to one's own nothing that would lock oneself out. */
export function AccountActs({ account }: { account: StaffAccount }) {
  const text = useText();
  const { lang } = useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  const { data: me } = useQuery(meQuery);
  const [act, setAct] = useState<Act>();
  const { id, email, lockedAt, plan } = account;
  const isOwn = me?.email === email;
  const asking = (name: Act) => ({
    opened: act === name,
    onClose: () => setAct(undefined),
    onDone: async () => {
      setAct(undefined);
      toast.success(text(`staff.done.${name}`));
      if (name === "remove") await navigate(`/${lang}/staff/users`, { replace: true });
      else await queries.invalidateQueries({ queryKey: ["/api/staff/accounts/:id", id] });
    },
  });
  return (
    <>
      <Group gap="sm">
        <Button variant="default" onClick={() => setAct("grant")}>
          {text("staff.do.grant")}
        </Button>
        {plan.granted && (
          <Button variant="default" onClick={() => setAct("end_grant")}>
            {text("staff.do.end_grant")}
          </Button>
        )}
        {lockedAt === null && !isOwn && (
          <Button variant="default" onClick={() => setAct("lock")}>
            {text("staff.do.lock")}
          </Button>
        )}
        <Button variant="default" onClick={() => setAct("unlock")}>
          {text("staff.do.unlock")}
        </Button>
        {!isOwn && (
          <Button color="red.9" onClick={() => setAct("remove")}>
            {text("staff.do.remove")}
          </Button>
        )}
      </Group>
      <ReasonDialog
        {...asking("lock")}
        title="staff.do.lock"
        what={text("staff.lock.what")}
        submit="staff.do.lock"
        danger
        send={(reason) => staffApi.lock(id, reason)}
      />
      <ReasonDialog
        {...asking("unlock")}
        title="staff.do.unlock"
        what={text("staff.unlock.what")}
        submit="staff.do.unlock"
        send={(reason) => staffApi.unlock(id, reason)}
      />
      <ReasonDialog
        {...asking("remove")}
        title="staff.do.remove"
        what={text("staff.remove.what", { email })}
        submit="staff.do.remove"
        danger
        send={(reason) => staffApi.remove(id, reason)}
      />
      <ReasonDialog
        {...asking("end_grant")}
        title="staff.do.end_grant"
        what={text("staff.end_grant.what")}
        submit="staff.do.end_grant"
        danger
        send={(reason) => staffApi.endGrant(id, reason)}
      />
      <GrantDialog {...asking("grant")} send={(input) => staffApi.grant(id, input)} />
    </>
  );
}
