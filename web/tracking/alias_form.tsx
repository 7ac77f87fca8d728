import { Button, Group, NativeSelect, Textarea, TextInput } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import { ALIAS_SERVICES, MAX_ALIAS_FILE } from "../../src/shared/aliases.ts";
import type { AliasesAdded } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { type Field, useServerForm } from "../forms/forms.ts";
import { Notice } from "../ui/display/notice.tsx";
import { type AliasValues, aliasErrors, aliasImportOf, NO_ALIASES } from "./alias_values.ts";
import { ListFile, type ListFileProps } from "./list_file.tsx";
import { aliasesQuery } from "./queries.ts";
import classes from "./track_form.module.css";

/** Adds aliases from a list, a file, or the service that they are of. Without a draft, as it may hold a key. */
export function AliasForm({ id }: { id: string }) {
  const text = useText();
  const queryClient = useQueryClient();
  const [unread, setUnread] = useState(0);
  const { form, element, field, submit, refuse, pending } = useServerForm<AliasValues, AliasesAdded>({
    initialValues: NO_ALIASES,
    validate: aliasErrors,
    send: (values) => post("/api/associations/:id/aliases/import", { params: { id }, body: aliasImportOf(values) }),
    failureTitle: "alias.add_failed",
    fieldsOf: ({ code, fields }) => (code === "ALIAS_KEY_REFUSED" ? { key: code } : (codeOf(code) ?? fields)),
    onSuccess: (added, { from, text: list }) => {
      // A list with mistakes stays, so that they can be corrected.
      form.setValues({ ...NO_ALIASES, from, text: added.bad > 0 ? list : "" });
      setUnread(from === "text" ? added.bad : 0);
      toast.success(text("alias.added", added));
      return queryClient.invalidateQueries({ queryKey: aliasesQuery(id).queryKey });
    },
  });
  const { from } = form.values;
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <NativeSelect
        label={text("alias.from")}
        data={(["text", ...ALIAS_SERVICES] as const).map((value) => ({ value, label: text(`alias.from_${value}`) }))}
        {...field("from")}
      />
      {from === "text" ? (
        <ListFields
          field={field}
          onRead={(content) => form.setFieldValue("text", content)}
          onTooLarge={() => refuse({ text: "BULK_TOO_LARGE" })}
        />
      ) : (
        <ServiceFields field={field} />
      )}
      <UnreadLines count={unread} />
      <Group justify="flex-end">
        <Button type="submit" loading={pending}>
          {text("alias.add")}
        </Button>
      </Group>
    </form>
  );
}

function UnreadLines({ count }: { count: number }) {
  const text = useText();
  return (
    <div role="status">
      {count > 0 && (
        <Notice icon={IconAlertTriangle} tone="note">
          {text("alias.unread", { count })}
        </Notice>
      )}
    </div>
  );
}

type ListProps = Pick<ListFileProps, "onRead" | "onTooLarge"> & { field: Field };

function ListFields({ field, ...file }: ListProps) {
  const text = useText();
  return (
    <>
      <Textarea
        label={text("alias.list")}
        description={text("alias.list_hint")}
        rows={5}
        autoCapitalize="none"
        spellCheck={false}
        {...field("text")}
      />
      <Group>
        <ListFile label={text("alias.file")} most={MAX_ALIAS_FILE} {...file} />
      </Group>
    </>
  );
}

function ServiceFields({ field }: { field: Field }) {
  const text = useText();
  const common = { autoComplete: "off", spellCheck: false } as const;
  return (
    <>
      <TextInput
        type="password"
        label={text("alias.key")}
        description={text("alias.key_hint")}
        {...common}
        {...field("key")}
      />
      <TextInput
        type="url"
        inputMode="url"
        label={text("alias.base")}
        description={text("alias.base_hint")}
        {...common}
        {...field("base")}
      />
    </>
  );
}

/** Failures that concern the list as a whole. */
function codeOf(code: string) {
  return code === "TOO_MANY_ALIASES" || code === "ADDRESS_REQUIRED" ? { text: code } : undefined;
}
