import "@mantine/core/styles/PinInput.layer.css";
import { Input, PinInput } from "@mantine/core";
import { type ClipboardEvent, type FormEvent, type ReactNode, useId } from "react";
import { codeIn } from "../../../src/identity/inputs.ts";
import { normalised } from "../../../src/shared/unicode.ts";
import { useText } from "../../app/i18n.tsx";
import classes from "./verify_code.module.css";

type Props = {
  value: string;
  error: ReactNode;
  hint: ReactNode;
  onChange: (value: string) => void;
  onComplete: () => void;
  /** Called when the pasted text contains no six digits. */
  onNoCode: () => void;
};

/** A limit for pasted text, to skip texts that are too long to be a message with a code. */
const PASTED_MAX = 10_000;
/** Input accepted as digits; East Asian input methods produce full-width digits. */
const DIGITS = /^[0-9\uff10-\uff19]+$/;

/** A one-time code in six inputs, typed digit by digit or pasted with text around it. */
export function CodeBoxes({ value, error, hint, onChange, onComplete, onNoCode }: Props) {
  const text = useText();
  const id = useId();
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(" ") || undefined;
  const handlers = useWholeCode({ onChange, onComplete, onNoCode });
  return (
    <div {...handlers}>
      <Input.Label id={`${id}-label`} labelElement="div">
        {text("verify.code")}
      </Input.Label>
      <PinInput
        value={value}
        onChange={(typed) => onChange(normalised(typed, "NFKC"))}
        onComplete={onComplete}
        length={6}
        type={DIGITS}
        inputType="text"
        size="lg"
        gap="xs"
        autoFocus
        oneTimeCode
        placeholder=""
        error={Boolean(error)}
        aria-labelledby={`${id}-label`}
        getInputProps={(index) => ({
          // With `withAria`, the library would drop the description and give all inputs the same id.
          withAria: false,
          inputMode: "numeric",
          "aria-label": text("verify.digit", { n: index + 1 }),
          "aria-invalid": Boolean(error),
          "aria-describedby": describedBy,
        })}
        classNames={{ root: classes.pins, pinInput: classes.pin }}
      />
      {error && (
        <Input.Error id={`${id}-error`} className={classes.below}>
          {error}
        </Input.Error>
      )}
      {hint && (
        <Input.Description id={`${id}-hint`} className={classes.below}>
          {hint}
        </Input.Description>
      )}
    </div>
  );
}

/** Takes a code that comes at once, before the boxes get it one digit each. */
function useWholeCode({ onChange, onComplete, onNoCode }: Pick<Props, "onChange" | "onComplete" | "onNoCode">) {
  function take(pasted: string) {
    const code = codeIn(pasted.slice(0, PASTED_MAX));
    if (code === "") return onNoCode();
    onChange(code);
    onComplete();
  }
  function takePasted(event: ClipboardEvent) {
    event.preventDefault();
    event.stopPropagation();
    take(event.clipboardData.getData("text/plain"));
  }
  /** More than one digit and the one that was there: filled in by the device, dictated or dropped. */
  function takeFilledIn(event: FormEvent) {
    const { value: filledIn } = event.target as HTMLInputElement;
    if (filledIn.length <= 2) return;
    event.stopPropagation();
    take(filledIn);
  }
  return { onPasteCapture: takePasted, onChangeCapture: takeFilledIn };
}
