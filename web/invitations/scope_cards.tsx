import { Checkbox } from "@mantine/core";
import { useId } from "react";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { useFormatDate } from "../ui/display/format_date.ts";
import classes from "./scope_cards.module.css";

type Option = { details: boolean; title: TextId; explanation: TextId; example: TextId };

const OPTIONS: Option[] = [
  { details: false, title: "scope.notice", explanation: "choice.event_text", example: "choice.event_example" },
  { details: true, title: "scope.details", explanation: "choice.details_text", example: "choice.details_example" },
];
/** The date of the example breach. */
const EXAMPLE_DAY = "2024-03-12";

type Props = { name: string; value: ConsentScope; onChange: (scope: ConsentScope) => void };

/** The scopes that the owner can grant to `name`, each with an example of what would be shown. */
export function ScopeCards({ name, value, onChange }: Props) {
  const text = useText();
  const id = useId();
  return (
    <div>
      <fieldset className={classes.choice}>
        <legend>{text("choice.legend", { name })}</legend>
        {OPTIONS.map((option) => (
          <OptionCard
            key={`${option.details}`}
            option={option}
            name={name}
            group={id}
            checked={value.details === option.details}
            onChoose={() => onChange({ ...value, details: option.details })}
          />
        ))}
      </fieldset>
      <Checkbox
        size="md"
        classNames={{ root: classes.sensitive ?? "", label: classes.name ?? "", description: classes.text ?? "" }}
        label={text("scope.sensitive")}
        description={text("choice.sensitive_text", { name })}
        checked={value.sensitive}
        onChange={({ currentTarget }) => onChange({ ...value, sensitive: currentTarget.checked })}
      />
    </div>
  );
}

type CardProps = { option: Option; name: string; group: string; checked: boolean; onChoose: () => void };

function OptionCard({ option, name, group, checked, onChoose }: CardProps) {
  const text = useText();
  const formatDate = useFormatDate();
  const id = useId();
  const date = formatDate(EXAMPLE_DAY, { dateStyle: "long", timeZone: "UTC" });
  return (
    <label className={classes.option}>
      <input
        type="radio"
        name={group}
        checked={checked}
        onChange={onChoose}
        aria-labelledby={`${id}title`}
        aria-describedby={`${id}text ${id}example`}
      />
      <span className={classes.words}>
        <strong id={`${id}title`}>{text(option.title)}</strong>
        <span id={`${id}text`}>{text(option.explanation, { name })}</span>
        <span id={`${id}example`} className={classes.example}>
          {text(option.example, { date })}
        </span>
      </span>
    </label>
  );
}
