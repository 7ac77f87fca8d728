import { useQuery } from "@tanstack/react-query";
import { contactValue } from "../../src/shared/contacts.ts";
import type { Language } from "../../src/shared/language.ts";
import { post } from "../api/call.ts";
import { contactsQuery, useRefreshContacts } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { contactAt, contactName } from "../shared/contact_name.ts";
import { ConnectButtons, TelegramLinking } from "../shared/telegram_linking.tsx";
import { useLinking } from "../shared/use_linking.ts";
import { Address } from "../ui/display/address.tsx";
import classes from "./track_form.module.css";

type Props = { names: string[]; language: Language };

/** The form's Telegram contacts that are not connected yet, each with buttons to connect it. */
export function ConnectChats({ names, language }: Props) {
  const values = [...new Set(names.flatMap((typed) => contactValue("telegram", typed) ?? []))];
  return values.map((value) => <ConnectChat key={value} value={value} language={language} />);
}

function ConnectChat({ value, language }: { value: string; language: Language }) {
  const text = useText();
  const refresh = useRefreshContacts();
  const named = { channel: "telegram", value } as const;
  const { data } = useQuery(contactsQuery({ value }));
  const contact = contactAt(data?.items, named);
  const linking = useLinking(contact, async () => {
    // The bot links a chat to a contact, so the contact has to be created before the address.
    const added = await post("/api/contacts", { body: { ...named, language, everywhere: false } });
    await refresh();
    return added;
  });
  if (!data || (contact?.state === "active" && !linking.isDone)) return null;
  return (
    <div className={classes.chat}>
      {contact?.state !== "active" && (
        <div className={classes.chat_head}>
          <Address>{contactName(named)}</Address>
          <span>{text("contact_todo.unconnected")}</span>
          <ConnectButtons contact={named} linking={linking} />
        </div>
      )}
      {contact && <TelegramLinking contact={contact} linking={linking} />}
    </div>
  );
}
