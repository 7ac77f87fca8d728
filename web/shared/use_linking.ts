import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type ContactHealth, type StartedLink, type TelegramLink } from "../api/api.ts";
import { linkQuery, useRefreshContacts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";

/** Whether the chat is one's own, or somebody else gets the link. */
type Whose = "me" | "somebody";
export type ShownLink = StartedLink & { whose: Whose };

/** The way from a Telegram username to a chat, as far as it has come. */
export type Linking = {
  link: TelegramLink | undefined;
  /** The link itself is known only where it was made. */
  shown: ShownLink | undefined;
  start: (whose: Whose) => void;
  starting: boolean;
  confirm: () => void;
  confirming: boolean;
  /** It has just come to its end, under these eyes. */
  isDone: boolean;
};

/** `add`: makes the contact that is not there yet, once somebody wants to connect it. */
export function useLinking(contact: ContactHealth | undefined, add?: () => Promise<ContactHealth>): Linking {
  const queryClient = useQueryClient();
  const refresh = useRefreshContacts();
  const showError = useShowError("connect.failed");
  const query = linkQuery(contact?.id ?? "");
  const lookAtLink = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const started = useMutation({
    async mutationFn(whose: Whose): Promise<ShownLink> {
      const id = contact?.id ?? (await add?.())?.id ?? "";
      return { ...(await api.startTelegramLink(id, whose)), whose };
    },
    onSuccess: lookAtLink,
    onError: showError,
  });
  const confirmed = useMutation({
    mutationFn: () => api.confirmTelegramLink(contact?.id ?? ""),
    onError: showError,
    onSettled: lookAtLink,
  });
  const hasActed = started.isSuccess || confirmed.isSuccess;
  const { data: link } = useQuery({
    ...query,
    enabled: contact?.channel === "telegram" && (contact.state !== "active" || hasActed),
  });
  const isLinked = link?.state === "linked";
  // What this page waits for happens in Telegram.
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
