import { Anchor, Text, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { toast } from "sonner";
import { verifyCodeInput } from "../../../src/identity/inputs.ts";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { QrCode } from "../../ui/display/qr_code.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { useRefresh } from "../profile/account_action.tsx";
import profile from "../profile/profile.module.css";
import classes from "./authenticator_form.module.css";

export type NewAuthenticator = { secret: string; uri: string };

type Props = { added: NewAuthenticator; onDone: (recoveryCodes: string[] | null) => void; onClose: () => void };

/** The shared secret for the authenticator app, and a field for the first code as proof. */
export function AuthenticatorForm({ added, onDone, onClose }: Props) {
  const text = useText();
  const confirmed = useConfirmed();
  const refresh = useRefresh("/api/factors");
  const { element, field, submit, pending } = useServerForm({
    initialValues: { code: "" },
    validate: schemaResolver(verifyCodeInput, { sync: true }),
    send: (values) => confirmed(() => post("/api/factors/authenticator/confirm", { body: values })),
    failureTitle: "app.failed",
    onSuccess: ({ recoveryCodes }) => {
      toast.success(text("app.done"));
      void refresh();
      onDone(recoveryCodes);
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={profile.form}>
      <Text>{text("app.scan")}</Text>
      <QrCode value={added.uri} label={text("app.qr")} />
      <div>
        <Text size="sm">{text("app.key")}</Text>
        <Secret value={added.secret} />
        <Anchor href={added.uri} size="sm" mt={8} display="inline-block">
          {text("app.open")}
        </Anchor>
      </div>
      <TextInput
        label={text("app.code")}
        inputMode="numeric"
        autoComplete="one-time-code"
        data-autofocus
        {...field("code")}
      />
      <FormButtons submitLabel={text("app.confirm")} pending={pending} onCancel={onClose} />
    </form>
  );
}

/** The secret in groups of four characters, for typing. */
function Secret({ value }: { value: string }) {
  const groups = value.match(/.{1,4}/g) ?? [];
  return (
    <p className={classes.key}>
      {groups.map((group, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the groups of a secret keep their order
        <span key={index}>{group} </span>
      ))}
    </p>
  );
}
