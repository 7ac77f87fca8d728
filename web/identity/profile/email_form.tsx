import { Button, Group, Radio, Stack, TextInput, Title } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { toast } from "sonner";
import { changeEmailInput } from "../../../src/identity/account/profile_inputs.ts";
import type { FormerAddress } from "../../../src/shared/former_address.ts";
import { isAtAllowedDomain } from "../../../src/shared/registration.ts";
import type { Profile } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { instanceQuery } from "../../api/queries.ts";
import { Text, useText } from "../../app/i18n.tsx";
import { type Field, useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { Address } from "../../ui/display/address.tsx";
import { Card } from "../../ui/display/card.tsx";
import { useRefresh } from "./account_action.tsx";
import { PendingEmail } from "./pending_email.tsx";
import classes from "./profile.module.css";

/** Changes the account's email; the change takes effect when the link sent to the new address is opened. */
export function EmailForm({ profile: { email, pendingEmail } }: { profile: Profile }) {
  const text = useText();
  const confirmed = useConfirmed();
  const refresh = useRefresh("/api/profile");
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { email: "", formerAddress: "ask" as FormerAddress },
    validate: schemaResolver(changeEmailInput, { sync: true }),
    send: (values) => confirmed(() => post("/api/profile/email", { body: values })),
    failureTitle: "edit.email_failed",
    onSuccess: (answer) => {
      toast.success(text("edit.email_sent", { email: answer.email }));
      form.reset();
      void refresh();
    },
  });
  return (
    <Card>
      <form ref={element} onSubmit={submit} noValidate className={classes.form}>
        <div>
          <Title order={2}>{text("edit.email")}</Title>
          <p className={classes.detail}>
            <Text id="edit.email_now" values={{ email: <Address key="email">{email}</Address> }} />
          </p>
          {pendingEmail && <PendingEmail pending={pendingEmail} />}
        </div>
        <NewEmail current={email} field={field} />
        <Radio.Group label={text("edit.email_former")} {...field("formerAddress")}>
          <Stack gap="sm" mt="xs">
            <Radio value="ask" label={text("edit.email_former_ask")} />
            <Radio value="end" label={text("edit.email_former_end")} />
          </Stack>
        </Radio.Group>
        <p className={classes.detail}>{text("edit.email_contacts")}</p>
        <Group justify="flex-end">
          <Button type="submit" variant="default" loading={pending}>
            {text("edit.email_submit")}
          </Button>
        </Group>
      </form>
    </Card>
  );
}

/** Names the allowed domains, if the operator has a list that binds an account with the current email. */
function NewEmail({ current, field }: { current: string; field: Field }) {
  const text = useText();
  const registration = useQuery(instanceQuery).data?.registration;
  const isBound = registration !== undefined && isAtAllowedDomain(registration, current);
  const domains = isBound && registration.mode === "open" ? registration.domains.join(", ") : "";
  return (
    <TextInput
      label={text("edit.email_new")}
      description={
        <>
          {text("edit.email_hint")}
          {domains && <br />}
          {domains && text("register.domains", { domains })}
        </>
      }
      type="email"
      autoComplete="email"
      {...field("email")}
    />
  );
}
