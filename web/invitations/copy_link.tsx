import { useParams } from "react-router";
import { useText } from "../app/i18n.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";

/** The link to this page, to copy for later. */
export function CopyLink({ token }: { token: string }) {
  const text = useText();
  const { lang } = useParams();
  return (
    <CopyField
      label={text("granted.link_title")}
      value={`${location.origin}/${lang}/manage-invitation#t=${token}`}
      words={{ copy: text("granted.copy"), copied: text("granted.copied"), failed: text("granted.copy_failed") }}
    />
  );
}
