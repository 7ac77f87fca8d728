import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import type { ContactHealth, StartedLink, TelegramLink } from "../api/api.ts";
import { post } from "../api/call.ts";
import { linkQuery, useRefreshContacts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";

/** Whether the user's own chat or a group is connected, or another person gets the link. */
type Whose = "me" | "group" | "somebody";
export type ShownLink = StartedLink & { whose: Whose };

/** The progress from a Telegram username to a connected chat. */
export type Linking = {
  link: TelegramLink | undefined;
  /** Set only on the page that created the link. */
  shown: ShownLink | undefined;
  start: (whose: Whose) => void;
  starting: boolean;
  confirm: () => void;
  confirming: boolean;
  /** The connection was completed while this page was open. */
  isDone: boolean;
};

/** `add` creates the contact if it does not exist when the user starts connecting. */
export function useLinking(contact: ContactHealth | undefined, add?: () => Promise<ContactHealth>): Linking {
  const queryClient = useQueryClient();
  const refresh = useRefreshContacts();
  const showError = useShowError("connect.failed");
  const query = linkQuery(contact?.id ?? "");
  const lookAtLink = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const started = useMutation({
    async mutationFn(whose: Whose): Promise<ShownLink> {
      const id = contact?.id ?? (await add?.())?.id ?? "";
      return { ...(await post("/api/contacts/:id/telegram-link", { params: { id }, body: { whose } })), whose };
    },
    onSuccess: lookAtLink,
    onError: showError,
  });
  const confirmed = useMutation({
    mutationFn: () => post("/api/contacts/:id/telegram-link/confirm", { params: { id: contact?.id ?? "" } }),
    onError: showError,
    onSettled: lookAtLink,
  });
  const hasActed = started.isSuccess || confirmed.isSuccess;
  const { data: link } = useQuery({
    ...query,
    enabled: contact?.channel === "telegram" && (contact.state !== "active" || hasActed),
  });
  const isLinked = link?.state === "linked";
  // The connection is completed in Telegram, so the contacts are refetched.
  useEffect(() => {
    if (isLinked) void queryClient.invalidateQueries({ queryKey: ["/api/contacts"] });
  }, [isLinked, queryClient]);
  return {
    link,
    shown: started.data,
    start: started.mutate,
    starting: started.isPending,
    confirm: () => confirmed.mutate(undefined, { onSettled: () => void refresh() }),
    confirming: confirmed.isPending,
    isDone: isLinked && hasActed,
  };
}
