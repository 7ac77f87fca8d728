import { NativeSelect, Textarea, TextInput } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";

type Given = { value: string; error?: string; onChange: (event: never) => void };
type Props = { label: string; most: number; hint?: string; given: Given };

const ORDER = ["label", "input", "description", "error"] as const;

function useCount({ value }: Given, most: number): string {
  const text = useText();
  return text("support.count", { count: [...value.trim()].length, max: most });
}

/** A line of text that shows how much room is left. */
export function CountedLine({ label, most, given }: Props) {
  const count = useCount(given, most);
  return <TextInput label={label} description={count} inputWrapperOrder={[...ORDER]} dir="auto" {...given} />;
}

/** The same for several lines. */
export function CountedText({ label, most, hint, given }: Props) {
  const count = useCount(given, most);
  const description = hint === undefined ? count : `${hint} ${count}`;
  const size = { rows: 7, resize: "vertical" } as const;
  return (
    <Textarea label={label} description={description} inputWrapperOrder={[...ORDER]} dir="auto" {...size} {...given} />
  );
}

type ChoiceProps = { label: string; choices: { value: string; label: string }[]; given: Given };

/** One of a few; none until somebody chooses. */
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
