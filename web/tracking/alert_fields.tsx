import { NativeSelect } from "@mantine/core";
import type { ComponentProps } from "react";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import type { Field } from "../forms/forms.ts";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";
import { MethodsField } from "./methods_field.tsx";

type Props = ComponentProps<typeof MethodsField> & { languageHint: TextId };

/** The contacts for alerts, and their language. */
export function AlertFields({ languageHint, ...methods }: Props) {
  const text = useText();
  return (
    <>
      <MethodsField {...methods} />
      <NativeSelect
        label={text("track.language")}
        description={text(languageHint)}
        data={LANGUAGE_OPTIONS}
        {...methods.field("language")}
      />
    </>
  );
}

/** The language of the invitation. */
export function InvitationLanguage({ field }: { field: Field }) {
  const text = useText();
  return (
    <NativeSelect label={text("track.invitation_language")} data={LANGUAGE_OPTIONS} {...field("invitationLanguage")} />
  );
}
