import { Button, Group, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import * as v from "valibot";
import { domainCodeInput } from "../../src/domains/inputs.ts";
import { post } from "../api/call.ts";
import type { Domain } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import classes from "./domains.module.css";
import { domainsQuery, useDomainAction } from "./queries.ts";
import { useNoteProven } from "./use_note_proven.ts";

/** Sends a code to the domain's own mailbox, and takes it. */
export function CodeProof({ domain }: { domain: Domain }) {
  const text = useText();
  const { id, name, mailbox, codeSent } = domain;
  const address = `${mailbox}@${name}`;
  const { mutate, isPending } = useDomainAction({
    call: () => post("/api/domains/:id/code", { params: { id } }),
    failureTitle: "domain.code_failed",
  });
  return (
    <>
      <Text role="status">{text(codeSent ? "domain.code_sent" : "domain.code_text", { address })}</Text>
      {codeSent && <CodeForm domain={domain} />}
      <div>
        <Button variant={codeSent ? "default" : "filled"} loading={isPending} onClick={() => mutate()}>
          {text(codeSent ? "domain.send_again" : "domain.send_code")}
        </Button>
      </div>
    </>
  );
}

function CodeForm({ domain: { id, name } }: { domain: Domain }) {
  const text = useText();
  const noteProven = useNoteProven(name);
  const queryClient = useQueryClient();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { code: "" },
    validate: (values) => (v.is(domainCodeInput, values) ? {} : { code: "CODE_INVALID" }),
    send: ({ code }) => post("/api/domains/:id/code/confirm", { params: { id }, body: { code: code.trim() } }),
    failureTitle: "domain.confirm_failed",
    fieldsOf: ({ code, fields }) => (code === "CODE_INVALID" ? { code } : fields),
    onSuccess({ state }) {
      noteProven(state);
      void queryClient.invalidateQueries(domainsQuery);
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Group gap="sm" align="flex-start">
        <TextInput
          label={text("domain.code")}
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={12}
          {...field("code")}
        />
      </Group>
      <div>
        <Button type="submit" loading={pending}>
          {text("domain.confirm_code")}
        </Button>
      </div>
    </form>
  );
}
