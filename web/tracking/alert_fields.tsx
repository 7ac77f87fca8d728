import { NativeSelect } from "@mantine/core";
import type { ComponentProps } from "react";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";
import { MethodsField } from "./methods_field.tsx";

type Props = ComponentProps<typeof MethodsField> & { languageHint: TextId };

/** In which language alerts come, and where they go. */
export function AlertFields({ languageHint, ...methods }: Props) {
  const text = useText();
  return (
    <>
      <NativeSelect
        label={text("track.language")}
        description={text(languageHint)}
        data={LANGUAGE_OPTIONS}
        {...methods.field("language")}
      />
      <MethodsField {...methods} />
    </>
  );
}
