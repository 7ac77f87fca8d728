import { NativeSelect, TextInput } from "@mantine/core";
import { useText } from "../app/i18n.tsx";
import type { Field } from "../forms/forms.ts";
import { OptionalLabel } from "../ui/form/optional_label.tsx";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";

type Props = { field: Field };

/** The fields of an account about its person, side by side in the form that shows them. */
export function NameFields({ field }: Props) {
  const text = useText();
  return (
    <>
      <TextInput
        label={text("field.first_name")}
        autoComplete="given-name"
        attributes={{ input: { dir: "auto" } }}
        {...field("firstName")}
      />
      <TextInput
        label={text("field.last_name")}
        autoComplete="family-name"
        attributes={{ input: { dir: "auto" } }}
        {...field("lastName")}
      />
    </>
  );
}

export function LanguageAndCompany({ field }: Props) {
  const text = useText();
  return (
    <>
      <NativeSelect
        label={text("field.language")}
        description={text("register.language_hint")}
        data={LANGUAGE_OPTIONS}
        {...field("language")}
      />
      <TextInput
        label={<OptionalLabel label={text("field.company")} />}
        autoComplete="organization"
        attributes={{ input: { dir: "auto" } }}
        {...field("companyName")}
      />
    </>
  );
}
