import { Checkbox, Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { type DeleteAccountInput, deleteAccountInput } from "../../../src/identity/account/profile_inputs.ts";
import type { Belongings } from "../../api/api.ts";
import { get, post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { announceSession, noteLogout } from "../../app/session.ts";
import { useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Address } from "../../ui/display/address.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { PasswordField } from "../../ui/form/password_field.tsx";
import { useProvidersOnly } from "../sign_in/providers_only.tsx";
import classes from "./profile.module.css";

type Props = { opened: boolean; onClose: () => void };

/** Lists what will be deleted, and asks for the password. */
export function DeleteDialog({ opened, onClose }: Props) {
  const text = useText();
  return (
    <Dialog opened={opened} onClose={onClose} title={text("delete.title")}>
      <Deletion onClose={onClose} />
    </Dialog>
  );
}

function Deletion({ onClose }: Pick<Props, "onClose">) {
  const text = useText();
  // Fetched again each time the dialog opens.
  const query = useQuery({
    queryKey: ["/api/profile/deletion"],
    queryFn: () => get("/api/profile/deletion"),
    gcTime: 0,
    staleTime: 0,
  });
  return (
    <Fetched query={query} failureTitle={text("profile.load_failed")} height={240}>
      {(belongings) => <DeleteForm belongings={belongings} onClose={onClose} />}
    </Fetched>
  );
}

function DeleteForm({ belongings, onClose }: { belongings: Belongings; onClose: () => void }) {
  const text = useText();
  const leave = useLeave();
  const isOnly = useProvidersOnly();
  const confirmed = useConfirmed();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { ...(!isOnly && { password: "" }), keepGrants: false } as DeleteAccountInput,
    validate: schemaResolver(deleteAccountInput, { sync: true }),
    send: (values) => confirmed(() => post("/api/profile/delete", { body: values })),
    failureTitle: "delete.failed",
    onSuccess: leave,
  });
  const { watchedBy } = belongings;
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <WhatGoes belongings={belongings} />
      {watchedBy.total > 0 && (
        <div>
          <Text>{text("delete.watched_by", { count: watchedBy.total })}</Text>
          <ul className={classes.going}>
            {watchedBy.items.map(({ name, email }) => (
              <li key={`${name} ${email}`}>
                {name} (<Address>{email}</Address>)
              </li>
            ))}
            {watchedBy.total > watchedBy.items.length && (
              <li>{text("delete.watched_more", { count: watchedBy.total - watchedBy.items.length })}</li>
            )}
          </ul>
          <Checkbox
            className={classes.keep}
            label={text("delete.keep_grants")}
            description={text("delete.keep_grants_hint")}
            {...field("keepGrants", "checkbox")}
          />
        </div>
      )}
      {!isOnly && (
        <PasswordField
          label={text("delete.password")}
          autoComplete="current-password"
          autoFocus
          {...field("password")}
        />
      )}
      <FormButtons submitLabel={text("delete.confirm")} danger pending={pending} onCancel={onClose} />
    </form>
  );
}

function WhatGoes({ belongings }: { belongings: Belongings }) {
  const text = useText();
  const { addresses, alerts, contacts, subscription } = belongings;
  const running = runningOf(subscription);
  return (
    <div>
      <Text>{text("delete.what")}</Text>
      <ul className={classes.going}>
        <li>{text("delete.account")}</li>
        {addresses > 0 && <li>{text("delete.addresses", { count: addresses })}</li>}
        {alerts > 0 && <li>{text("delete.alerts", { count: alerts })}</li>}
        {contacts > 0 && <li>{text("delete.contacts", { count: contacts })}</li>}
        {running && <li>{text(`delete.${running}`)}</li>}
      </ul>
    </div>
  );
}

/** Which text about the plan to show, if any: only a bought subscription has to be cancelled. */
function runningOf({
  plan,
  active,
  bought,
}: Belongings["subscription"]): "subscription" | "trial" | "plan" | undefined {
  if (bought) return "subscription";
  if (!active) return undefined;
  return plan === "trial" ? "trial" : "plan";
}

/** Leaves after the deletion; as the session has ended with it, it does not count as expired. */
function useLeave() {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  return async () => {
    noteLogout();
    announceSession("signed out");
    await navigate(`/${lang}/login`, { replace: true });
    toast.success(text("delete.done"));
  };
}
