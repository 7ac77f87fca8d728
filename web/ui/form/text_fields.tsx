import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

type Given = { value: string; error?: string; onChange: (event: never) => void };
type Props = { label: string; most: number; hint?: string; given: Given };

const ORDER = ["label", "input", "description", "error"] as const;

function useCount({ value }: Given, most: number): string {
  const text = useText();
  return text("support.count", { count: [...value.trim()].length, max: most });
}

/** A text input with the number of characters left. */
export function CountedLine({ label, most, given }: Props) {
  const count = useCount(given, most);
  return <TextInput label={label} description={count} inputWrapperOrder={[...ORDER]} dir="auto" {...given} />;
}

/** A textarea with the number of characters left. */
export function CountedText({ label, most, hint, given }: Props) {
  const count = useCount(given, most);
  const description = hint === undefined ? count : `${hint} ${count}`;
  const size = { rows: 7, resize: "vertical" } as const;
  return (
    <Textarea label={label} description={description} inputWrapperOrder={[...ORDER]} dir="auto" {...size} {...given} />
  );
}

type ChoiceProps = { label: string; choices: { value: string; label: string }[]; given: Given };

/** A group of radio buttons, initially without a selection. */
export function Choice({ label, choices, given }: ChoiceProps) {
  const text = useText();
  return (
    <NativeSelect
      label={label}
      data={[{ value: "", label: text("support.choose"), disabled: true }, ...choices]}
      {...given}
    />
  );
}
