import { Button, TextInput } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useRef } from "react";
import { toast } from "sonner";
import { copyText } from "../clipboard.ts";
import classes from "./copy_field.module.css";

type Props = { label: string; value: string; words: { copy: string; copied: string; failed: string } };

/** A value to copy; if the clipboard is unavailable, the text is selected for copying by hand. */
export function CopyField({ label, value, words }: Props) {
  const field = useRef<HTMLInputElement>(null);
  async function copy() {
    try {
      await copyText(value);
      toast.success(words.copied);
    } catch {
      field.current?.select();
      toast.error(words.failed);
    }
  }
  return (
    <div className={classes.field}>
      <TextInput
        ref={field}
        aria-label={label}
        value={value}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={copy}>
        {words.copy}
      </Button>
    </div>
  );
}
