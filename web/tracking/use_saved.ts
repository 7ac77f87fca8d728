import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { contactValue } from "../../src/shared/contacts.ts";
import type { ContactHealth } from "../api/api.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";

export type Saved = {
  message: string;
  /** The contacts as typed. */
  telegram: string[];
  /** False while the owner has not consented: until then no chat can be connected. */
  isAgreed: boolean;
};

/** Returns a function that confirms saving and counts Telegram contacts that are not connected yet. */
export function useSaved() {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const queryClient = useQueryClient();
  const action = { label: text("track.telegram_connect"), onClick: () => void navigate(`/${lang}/contacts`) };

  async function unconnected(telegram: string[]): Promise<number> {
    if (telegram.length === 0) return 0;
    const found = await Promise.all(
      telegram.map(async (typed) => {
        const value = contactValue("telegram", typed) ?? typed;
        const { items } = await queryClient.fetchQuery({ ...contactsQuery({ value }), staleTime: 0 });
        return isConnected(items, value);
      }),
    );
    return found.filter((connected) => !connected).length;
  }

  return async ({ message, telegram, isAgreed }: Saved) => {
    // If the count is unknown, the message omits it.
    const count = await unconnected(telegram).catch(() => 0);
    const description = text("track.telegram_open", { count });
    toast.success(message, count === 0 ? {} : { description, ...(isAgreed && { action }) });
  };
}

function isConnected(contacts: ContactHealth[], value: string): boolean {
  return contacts.some((one) => one.channel === "telegram" && one.state === "active" && one.value === value);
}
