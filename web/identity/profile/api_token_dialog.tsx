import { Button, Checkbox, Radio, Stack, Text, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useState } from "react";
import { type ApiTokenInput, apiTokenInput, TOKEN_DAYS } from "../../../src/identity/api_tokens/api_token_inputs.ts";
import { API_SCOPES, type ApiScope, scopesNeededBy } from "../../../src/shared/api_scopes.ts";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { type Field, useServerForm } from "../../forms/forms.ts";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Notice } from "../../ui/display/notice.tsx";
import { CopyField } from "../../ui/form/copy_field.tsx";
import { FormButtons } from "../../ui/form/form_buttons.tsx";
import { useRefresh } from "./account_action.tsx";
import { SCOPE_WORDS } from "./api_token_scopes.ts";
import classes from "./profile.module.css";

type Props = { opened: boolean; onClose: () => void };

/** Creates a token and shows it once. */
export function NewApiToken({ opened, onClose }: Props) {
  const text = useText();
  const [made, setMade] = useState<string>();
  const close = () => {
    onClose();
    setMade(undefined);
  };
  return (
    <Dialog
      opened={opened}
      // The token is shown only once, so only the explicit button closes the dialog.
      onClose={made === undefined ? close : () => undefined}
      withCloseButton={made === undefined}
      title={text(made === undefined ? "api_tokens.dialog" : "api_tokens.shown_title")}
      closeOnClickOutside={false}
    >
      {made === undefined ? <TokenForm onMade={setMade} onClose={close} /> : <Shown token={made} onClose={close} />}
    </Dialog>
  );
}

function TokenForm({ onMade, onClose }: { onMade: (token: string) => void; onClose: () => void }) {
  const text = useText();
  const confirmed = useConfirmed();
  const refresh = useRefresh("/api/tokens");
  const initialValues: ApiTokenInput = { name: "", scopes: ["addresses:read", "alerts:read"], days: 90 };
  const { form, element, field, submit, pending } = useServerForm({
    initialValues,
    validate: schemaResolver(apiTokenInput, { sync: true }),
    send: (values) => confirmed(() => post("/api/tokens", { body: values })),
    failureTitle: "api_tokens.failed",
    onSuccess: ({ token }) => {
      void refresh();
      onMade(token);
    },
  });
  const { days } = form.values;
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <TextInput
        label={text("api_tokens.name")}
        description={text("api_tokens.name_example")}
        autoComplete="off"
        data-autofocus
        {...field("name")}
      />
      <ScopeBoxes
        field={field}
        scopes={form.values.scopes}
        onChoose={(chosen) => form.setFieldValue("scopes", chosen)}
      />
      <Lifetime days={days} onChoose={(chosen) => form.setFieldValue("days", chosen)} />
      {days === null && (
        <Notice tone="note" icon={IconAlertTriangle}>
          {text("api_tokens.never_warning")}
        </Notice>
      )}
      <FormButtons submitLabel={text("api_tokens.submit")} pending={pending} onCancel={onClose} />
    </form>
  );
}

type ScopeProps = { field: Field; scopes: ApiScope[]; onChoose: (scopes: ApiScope[]) => void };

/** A scope that another chosen one needs is ticked with it, and stays ticked. */
function ScopeBoxes({ field, scopes, onChoose }: ScopeProps) {
  const text = useText();
  const needed = scopesNeededBy(scopes);
  function choose(chosen: ApiScope[]) {
    const all = [...chosen, ...scopesNeededBy(chosen)];
    onChoose(API_SCOPES.filter((scope) => all.includes(scope)));
  }
  return (
    <Checkbox.Group label={text("api_tokens.scopes")} {...field("scopes")} onChange={choose}>
      <Stack gap="xs" mt="xs">
        {API_SCOPES.map((scope) => (
          <Checkbox
            key={scope}
            value={scope}
            disabled={needed.includes(scope)}
            label={text(SCOPE_WORDS[scope].name)}
            description={text(SCOPE_WORDS[scope].what)}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

type Days = ApiTokenInput["days"];

function Lifetime({ days, onChoose }: { days: Days; onChoose: (days: Days) => void }) {
  const text = useText();
  return (
    <Radio.Group
      label={text("api_tokens.days")}
      value={String(days)}
      onChange={(value) => onChoose(TOKEN_DAYS.find((one) => String(one) === value) ?? null)}
    >
      <Stack gap="xs" mt="xs">
        {TOKEN_DAYS.map((one) => (
          <Radio key={one} value={String(one)} label={text("api_tokens.days_count", { days: one })} />
        ))}
        <Radio value="null" label={text("api_tokens.days_never")} />
      </Stack>
    </Radio.Group>
  );
}

function Shown({ token, onClose }: { token: string; onClose: () => void }) {
  const text = useText();
  const words = {
    copy: text("api_tokens.copy"),
    copied: text("api_tokens.copied"),
    failed: text("api_tokens.copy_failed"),
  };
  return (
    <div className={classes.form}>
      <Text>{text("api_tokens.shown_text")}</Text>
      <CopyField label={text("api_tokens.token")} value={token} words={words} />
      <Button onClick={onClose}>{text("api_tokens.done")}</Button>
    </div>
  );
}
