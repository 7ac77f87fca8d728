import { Button, TextInput } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { useRef } from "react";
import { useParams } from "react-router";
import { toast } from "sonner";
import { useText } from "../i18n.tsx";
import classes from "./manage_invitation.module.css";

/** The way back to this page, to take along. */
export function CopyLink({ token }: { token: string }) {
  const text = useText();
  const { lang } = useParams();
  const field = useRef<HTMLInputElement>(null);
  const link = `${location.origin}/${lang}/manage-invitation#t=${token}`;
  async function copy() {
    try {
      await navigator.clipboard.writeText(link);
      toast.success(text("granted.copied"));
    } catch {
      field.current?.select();
      toast.error(text("granted.copy_failed"));
    }
  }
  return (
    <div className={classes.link}>
      <TextInput
        ref={field}
        aria-label={text("granted.link_title")}
        value={link}
        readOnly
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <Button variant="default" leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={copy}>
        {text("granted.copy")}
      </Button>
    </div>
  );
}
