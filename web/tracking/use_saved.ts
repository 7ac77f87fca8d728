import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { contactValue } from "../../src/shared/contacts.ts";
import type { ContactHealth } from "../api/api.ts";
import { contactsQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";

export type Saved = {
  message: string;
  /** As typed. */
  telegram: string[];
  /** False while an owner has to agree first: until then nothing is to be connected. */
  isAgreed: boolean;
};

/** Says that something was saved, and how many of its Telegram contacts are still to be connected. */
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
    // What cannot be found out is not claimed; that it was saved is.
    const count = await unconnected(telegram).catch(() => 0);
    const description = text("track.telegram_open", { count });
    toast.success(message, count === 0 ? {} : { description, ...(isAgreed && { action }) });
  };
}

function isConnected(contacts: ContactHealth[], value: string): boolean {
  return contacts.some((one) => one.channel === "telegram" && one.state === "active" && one.value === value);
}
