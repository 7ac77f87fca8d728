import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { api, type ContactHealth, type StartedLink, type TelegramLink } from "../api/api.ts";
import { useShowError } from "../app/errors.tsx";
import { linkQuery, useRefreshContacts } from "./queries.ts";

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

export function useLinking({ id, channel, state }: ContactHealth): Linking {
  const queryClient = useQueryClient();
  const refresh = useRefreshContacts();
  const showError = useShowError("connect.failed");
  const query = linkQuery(id);
  const lookAtLink = () => queryClient.invalidateQueries({ queryKey: query.queryKey });
  const started = useMutation({
    mutationFn: async (whose: Whose): Promise<ShownLink> => ({ ...(await api.startTelegramLink(id, whose)), whose }),
    onSuccess: lookAtLink,
    onError: showError,
  });
  const confirmed = useMutation({
    mutationFn: () => api.confirmTelegramLink(id),
    onError: showError,
    onSettled: lookAtLink,
  });
  const hasActed = started.isSuccess || confirmed.isSuccess;
  const { data: link } = useQuery({ ...query, enabled: channel === "telegram" && (state !== "active" || hasActed) });
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
