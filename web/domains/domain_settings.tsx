import { Button, Checkbox, Group, NativeSelect, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { post, put } from "../api/call.ts";
import type { Domain, DomainSettings } from "../api/domains_api.ts";
import { useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { Card } from "../ui/display/card.tsx";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";
import classes from "./domains.module.css";
import { domainsQuery, useDomainAction } from "./queries.ts";

const DIGESTS = ["off", "daily", "at_once"] as const satisfies readonly DomainSettings["digest"][];

/** What the administrator may change, and a message to try it. */
export function DomainSettingsCard({ domain }: { domain: Domain }) {
  const text = useText();
  return (
    <section aria-labelledby="domain-settings" data-screen-only>
      <Card className={classes.card}>
        <Title order={2} size="h3" id="domain-settings">
          {text("domain.settings")}
        </Title>
        <SettingsForm domain={domain} />
        <Drill id={domain.id} />
      </Card>
    </section>
  );
}

function SettingsForm({ domain }: { domain: Domain }) {
  const text = useText();
  const queryClient = useQueryClient();
  const { id, catchAll, roleSensitive, tellPeople, digest, language } = domain;
  const { form, element, field, submit, pending } = useServerForm<DomainSettings, object>({
    initialValues: { catchAll, roleSensitive, tellPeople, digest, language },
    validate: () => ({}),
    send: (values) => put("/api/domains/:id", { params: { id }, body: values }),
    failureTitle: "domain.save_failed",
    draft: `domains/${id}`,
    onSuccess(_, values) {
      form.resetDirty(values);
      toast.success(text("domain.saved"));
      void queryClient.invalidateQueries(domainsQuery);
    },
  });
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <NativeSelect
        label={text("domain.digest")}
        description={text("domain.digest_hint")}
        data={DIGESTS.map((value) => ({ value, label: text(`domain.digest.${value}`) }))}
        {...field("digest")}
      />
      <Boxes field={field} />
      <NativeSelect
        label={text("domain.language")}
        description={text("domain.language_hint")}
        data={LANGUAGE_OPTIONS}
        {...field("language")}
      />
      <Group>
        <Button type="submit" loading={pending}>
          {text("domain.save")}
        </Button>
      </Group>
    </form>
  );
}

function Boxes({ field }: { field: Field }) {
  const text = useText();
  return (
    <>
      <Checkbox
        label={text("domain.catch_all")}
        description={text("domain.catch_all_hint")}
        {...field("catchAll", "checkbox")}
      />
      <Checkbox
        label={text("domain.role_sensitive")}
        description={text("domain.role_sensitive_hint")}
        {...field("roleSensitive", "checkbox")}
      />
      <Checkbox
        label={text("domain.tell_people")}
        description={text("domain.tell_people_hint")}
        {...field("tellPeople", "checkbox")}
      />
    </>
  );
}

/** Sends a test message with made-up numbers, in the way that real ones are sent. */
function Drill({ id }: { id: string }) {
  const text = useText();
  const { mutate, isPending } = useDomainAction({
    call: () => post("/api/domains/:id/drill", { params: { id } }),
    failureTitle: "domain.drill_failed",
    onDone: () => toast.success(text("domain.drill_sent")),
  });
  return (
    <div>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {text("domain.drill")}
      </Button>
      <Text c="dimmed" size="sm" mt={6}>
        {text("domain.drill_hint")}
      </Text>
    </div>
  );
}
