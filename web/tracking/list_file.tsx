import { Button, FileButton } from "@mantine/core";
import { IconFileUpload } from "@tabler/icons-react";
import { useRef } from "react";
import { decodeText } from "../../src/shared/decode_text.ts";

/** `most` is the largest size in bytes that is read. */
export type ListFileProps = {
  label: string;
  most: number;
  onRead: (content: string) => void;
  onTooLarge: () => void;
};

/** Reads a list from a file. */
export function ListFile({ label, most, onRead, onTooLarge }: ListFileProps) {
  const reset = useRef<() => void>(null);
  async function take(file: File | null) {
    // So that the same file can be chosen again after it has been corrected.
    reset.current?.();
    if (file === null) return;
    if (file.size > most) onTooLarge();
    else onRead(decodeText(await file.bytes()));
  }
  return (
    <FileButton resetRef={reset} onChange={take} accept=".csv,.txt,text/csv,text/plain">
      {(props) => (
        <Button {...props} variant="default" leftSection={<IconFileUpload size={20} aria-hidden="true" />}>
          {label}
        </Button>
      )}
    </FileButton>
  );
}
