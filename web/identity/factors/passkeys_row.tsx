import { Button } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import type { Passkey } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import { useFormatDate } from "../../ui/display/format_date.ts";
import classes from "../profile/profile.module.css";
import lists from "../profile/profile_lists.module.css";
import { ProfileRow } from "../profile/profile_section.tsx";
import { passkeysSupported } from "./passkey.ts";
import { RemovePasskey, RenamePasskey } from "./passkey_dialogs.tsx";

type Opened = { passkey: Passkey; dialog: "rename" | "remove" };

export function PasskeysRow({ passkeys, onAdd }: { passkeys: Passkey[]; onAdd: () => void }) {
  const text = useText();
  const [last, setLast] = useState<Opened>();
  const [opened, setOpened] = useState(false);
  const open = (dialog: Opened["dialog"]) => (passkey: Passkey) => {
    setLast({ passkey, dialog });
    setOpened(true);
  };
  const supported = passkeysSupported();
  const dialog = { passkey: last?.passkey, onClose: () => setOpened(false) };
  return (
    <>
      <ProfileRow
        icon={IconFingerprint}
        title={text("passkeys.title")}
        action={
          supported && (
            <Button variant="default" onClick={onAdd}>
              {text("passkeys.add")}
            </Button>
          )
        }
        below={
          passkeys.length > 0 && (
            <ul className={lists.entries}>
              {passkeys.map((passkey) => (
                <PasskeyEntry key={passkey.id} passkey={passkey} onRename={open("rename")} onRemove={open("remove")} />
              ))}
            </ul>
          )
        }
      >
        {text("passkeys.lead")}
        {!supported && <p className={classes.detail}>{text("passkeys.unsupported")}</p>}
      </ProfileRow>
      <RenamePasskey {...dialog} opened={opened && last?.dialog === "rename"} />
      <RemovePasskey {...dialog} opened={opened && last?.dialog === "remove"} />
    </>
  );
}

type EntryProps = { passkey: Passkey; onRename: (passkey: Passkey) => void; onRemove: (passkey: Passkey) => void };

function PasskeyEntry({ passkey, onRename, onRemove }: EntryProps) {
  const text = useText();
  const formatDate = useFormatDate();
  const { name, createdAt, lastUsedAt } = passkey;
  const day = (iso: string) => formatDate(iso, { dateStyle: "medium" });
  return (
    <li className={lists.entry}>
      <div className={lists.entryWords}>
        <p className={lists.name}>
          <span className="breakable">{name}</span>
        </p>
        <p className={classes.detail}>
          {text("passkeys.created", { date: day(createdAt) })},{" "}
          {lastUsedAt === null ? text("passkeys.unused") : text("passkeys.used", { date: day(lastUsedAt) })}
        </p>
      </div>
      <div className={classes.buttons}>
        <Button
          variant="default"
          size="xs"
          aria-label={text("passkeys.rename_label", { name })}
          onClick={() => onRename(passkey)}
        >
          {text("passkeys.rename")}
        </Button>
        <Button
          variant="default"
          size="xs"
          aria-label={text("passkeys.remove_label", { name })}
          onClick={() => onRemove(passkey)}
        >
          {text("passkeys.remove")}
        </Button>
      </div>
    </li>
  );
}
