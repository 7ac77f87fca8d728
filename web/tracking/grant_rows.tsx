import { Anchor, Button } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { toast } from "sonner";
import type { ConsentScope } from "../../src/shared/consent.ts";
import type { MayWatch, WatchedBy } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { useScopeText } from "../shared/scope_choice.tsx";
import { Address } from "../ui/display/address.tsx";
import { Badge } from "../ui/display/badge.tsx";
import { Moment } from "../ui/display/dates.tsx";
import rows from "../ui/display/rows.module.css";
import { ChangeScope } from "./change_scope.tsx";
import { useAction } from "./queries.ts";
import { RecordButton } from "./record_button.tsx";
import { RefusalDialog } from "./refusal_dialog.tsx";
import { RemoveButton } from "./remove_button.tsx";
import { screenPath } from "./screen_path.ts";

/** An address whose owner allows the account to monitor it. */
export function MayWatchRow({ grant }: { grant: MayWatch }) {
  const text = useText();
  const { id, associationId, address, kind, scope, since } = grant;
  const name = (
    <>
      <Anchor component={Link} to={screenPath(address)} inherit>
        <Address>{address}</Address>
      </Anchor>
      {kind === "ownership" && <Badge tone="accent">{text("grants.own")}</Badge>}
    </>
  );
  return (
    <Row name={name} scope={scope} since={since}>
      <RecordButton id={id} of={address} />
      <RemoveButton association={{ id: associationId, address }} />
    </Row>
  );
}

/** An account that may monitor this account's own address. */
export function WatchedByRow({ grant }: { grant: WatchedBy }) {
  const text = useText();
  const { id, kind, inviter, address, scope, since } = grant;
  const name = (
    <>
      {text("grants.watches", inviter)} <Address>{`(${inviter.email})`}</Address>
      {kind === "own" && <Badge tone="accent">{text("grants.unasked")}</Badge>}
    </>
  );
  return (
    <Row name={name} scope={scope} since={since}>
      <Button component={Link} to={screenPath(address)} variant="default" size="sm">
        {text("grants.see")}
      </Button>
      <ChangeScope grant={grant} />
      {kind !== "own" && <RecordButton id={id} of={inviter.name} />}
      <Withdraw grant={grant} />
    </Row>
  );
}

type RowProps = { name: ReactNode; scope: ConsentScope; since: string; children: ReactNode };

function Row({ name, scope, since, children }: RowProps) {
  const text = useText();
  const scopeText = useScopeText();
  return (
    <li className={rows.row}>
      <div className={rows.words}>
        <h4 className={rows.name}>{name}</h4>
        <p className={rows.facts}>
          <span>{text("grants.sees", { scope: scopeText(scope) })}</span>
          <span>
            {text("grants.since")} <Moment iso={since} />
          </span>
        </p>
      </div>
      <div className={rows.actions}>{children}</div>
    </li>
  );
}

function Withdraw({ grant: { id, inviter } }: { grant: WatchedBy }) {
  const text = useText();
  const [opened, { open, close }] = useDisclosure();
  const { mutate, isPending } = useAction({
    call: (block: boolean) => post("/api/grants/:id/withdraw", { params: { id }, body: { block } }),
    failureTitle: "grants.failed",
    onDone: () => toast.success(text("grants.withdrawn", inviter)),
  });
  return (
    <>
      <Button variant="default" size="sm" aria-label={text("grants.withdraw_label", inviter)} onClick={open}>
        {text("grants.withdraw")}
      </Button>
      <RefusalDialog
        opened={opened}
        title={text("grants.withdraw_title")}
        words={text("grants.withdraw_text", inviter)}
        confirmLabel={text("grants.withdraw")}
        name={inviter.name}
        pending={isPending}
        onConfirm={(block) => mutate(block, { onSettled: close })}
        onClose={close}
      />
    </>
  );
}
