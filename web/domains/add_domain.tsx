import { Button, Group, TextInput, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { useServerForm } from "../forms/forms.ts";
import { Card } from "../ui/display/card.tsx";
import classes from "./domains.module.css";
import { ProofChoice } from "./proof_choice.tsx";
import { choiceOf, type DomainValues, domainErrors, FIRST_CHOICE } from "./proof_values.ts";
import { domainsQuery } from "./queries.ts";

/** The form that claims a domain and leads to its page, which says how to prove it. */
export function AddDomain() {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const queryClient = useQueryClient();
  const { form, element, field, submit, pending } = useServerForm<DomainValues, { id: string }>({
    initialValues: { name: "", ...FIRST_CHOICE },
    validate: domainErrors,
    send: ({ name, ...choice }) => post("/api/domains", { body: { name, ...choiceOf(choice) } }),
    failureTitle: "domains.add_failed",
    onSuccess({ id }) {
      void queryClient.invalidateQueries(domainsQuery);
      void navigate(`/${lang}/domains/${id}`);
    },
    draft: "domains",
  });
  return (
    <section aria-labelledby="add-domain">
      <Card>
        <form ref={element} onSubmit={submit} noValidate className={classes.form}>
          <Title order={2} size="h3" id="add-domain">
            {text("domains.add")}
          </Title>
          <TextInput
            label={text("domains.name")}
            description={text("domains.name_hint")}
            placeholder="example.org"
            inputMode="url"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            {...field("name")}
          />
          <ProofChoice values={form.values} onChange={(change) => form.setValues(change)} />
          <Group justify="flex-end">
            <Button type="submit" loading={pending}>
              {text("domains.submit")}
            </Button>
          </Group>
        </form>
      </Card>
    </section>
  );
}
