import { Button, Group } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { post } from "../api/call.ts";
import { meQuery } from "../api/queries.ts";
import type { StaffAccount } from "../api/staff_api.ts";
import { useText } from "../app/i18n.tsx";
import { GrantDialog, ReasonDialog } from "./act_dialog.tsx";

type Act = "lock" | "unlock" | "remove" | "grant" | "end_grant";

const REASONED = [
  { act: "lock", danger: true, path: "/api/staff/accounts/:id/lock" },
  { act: "unlock", path: "/api/staff/accounts/:id/unlock" },
  { act: "remove", danger: true, path: "/api/staff/accounts/:id/delete" },
  { act: "end_grant", danger: true, path: "/api/staff/accounts/:id/end-grant" },
] as const;

/** Staff actions on an account; on one's own account without those that would lock oneself out. */
export function AccountActions({ account }: { account: StaffAccount }) {
  const text = useText();
  const [act, setAct] = useState<Act>();
  const done = useDone(account.id);
  const { id, email } = account;
  const asking = (name: Act) => ({
    opened: act === name,
    onClose: () => setAct(undefined),
    onDone: () => {
      setAct(undefined);
      return done(name);
    },
  });
  return (
    <>
      <ActButtons account={account} onChoose={setAct} />
      {REASONED.map(({ act: name, path, ...look }) => (
        <ReasonDialog
          key={name}
          {...asking(name)}
          title={`staff.do.${name}`}
          what={text(`staff.${name}.what`, { email })}
          submit={`staff.do.${name}`}
          {...look}
          send={(reason) => post(path, { params: { id }, body: { reason } })}
        />
      ))}
      <GrantDialog
        {...asking("grant")}
        send={(input) => post("/api/staff/accounts/:id/grant", { params: { id }, body: input })}
      />
    </>
  );
}

function ActButtons({ account, onChoose }: { account: StaffAccount; onChoose: (act: Act) => void }) {
  const text = useText();
  const { data: me } = useQuery(meQuery);
  const { email, lockedAt, plan } = account;
  const isOwn = me?.email === email;
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => onChoose("grant")}>
        {text("staff.do.grant")}
      </Button>
      {plan.granted && (
        <Button variant="default" onClick={() => onChoose("end_grant")}>
          {text("staff.do.end_grant")}
        </Button>
      )}
      {lockedAt === null && !isOwn && (
        <Button variant="default" onClick={() => onChoose("lock")}>
          {text("staff.do.lock")}
        </Button>
      )}
      <Button variant="default" onClick={() => onChoose("unlock")}>
        {text("staff.do.unlock")}
      </Button>
      {!isOwn && (
        <Button color="red.9" onClick={() => onChoose("remove")}>
          {text("staff.do.remove")}
        </Button>
      )}
    </Group>
  );
}

/** Shows the account as it is now; one that was deleted has no page any more. */
function useDone(id: string) {
  const text = useText();
  const { lang } = useParams();
  const navigate = useNavigate();
  const queries = useQueryClient();
  return async (act: Act) => {
    toast.success(text(`staff.done.${act}`));
    if (act === "remove") await navigate(`/${lang}/staff/users`, { replace: true });
    else await queries.invalidateQueries({ queryKey: ["/api/staff/accounts/:id", id] });
  };
}
