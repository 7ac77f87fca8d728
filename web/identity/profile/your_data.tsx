import { Button } from "@mantine/core";
import { IconFileDownload, IconTrash } from "@tabler/icons-react";
import { useState } from "react";
import { toast } from "sonner";
import { PRODUCT } from "../../../src/shared/product.ts";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { saveFile } from "../../shared/save_file.ts";
import { useAccountAction } from "./account_action.tsx";
import { DeleteDialog } from "./delete_dialog.tsx";
import { ProfileRow, ProfileSection } from "./profile_section.tsx";

/** Data export and account deletion. */
export function YourData() {
  const text = useText();
  const [deleting, setDeleting] = useState(false);
  const { mutate, isPending } = useAccountAction({
    call: () => post("/api/profile/export"),
    changes: [],
    failureTitle: "data.export_failed",
    onDone: (data) => {
      const name = `${PRODUCT.toLowerCase()}-${new Date().toISOString().slice(0, 10)}.json`;
      saveFile(name, `${JSON.stringify(data, null, 2)}\n`, "application/json");
      toast.success(text("data.exported"));
    },
  });
  return (
    <ProfileSection id="data" title={text("data.title")}>
      <ProfileRow
        icon={IconFileDownload}
        title={text("data.export")}
        action={
          <Button variant="default" loading={isPending} onClick={() => mutate()}>
            {text("recovery.download")}
          </Button>
        }
      >
        {text("data.export_text")}
      </ProfileRow>
      <ProfileRow
        icon={IconTrash}
        title={text("delete.action")}
        action={
          <Button color="red.9" onClick={() => setDeleting(true)}>
            {text("delete.action")}
          </Button>
        }
      >
        {text("delete.text")}
      </ProfileRow>
      <DeleteDialog opened={deleting} onClose={() => setDeleting(false)} />
    </ProfileSection>
  );
}
