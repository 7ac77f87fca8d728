import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type TelegramLink } from "../api/api.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";
import { lookAgain } from "../shared/delivery_words.ts";

const LINK_MS = 3000;

/** How far a contact's connection to the bot has come; looked at while somebody has to act, and the page is in sight. */
export function linkQuery(contactId: string) {
  return queryOptions({
    queryKey: ["/api/contacts/:id/telegram-link", contactId],
    queryFn: ({ signal }) => api.telegramLink(contactId, signal),
    staleTime: 0,
    refetchInterval: ({ state }) => (isOpen(state.data) ? LINK_MS : false),
  });
}

function isOpen(link: TelegramLink | undefined): boolean {
  return link?.state === "waiting" || link?.state === "needs_confirmation";
}

/** What has become of tests, until all of them have ended. */
export function testsQuery(ids: string[]) {
  return queryOptions({
    queryKey: ["/api/test-alerts", ids],
    queryFn: ({ signal }) => api.tests(ids, signal),
    refetchInterval: ({ state }) => lookAgain(state.data?.items),
  });
}

/** Fetches anew how the contacts do. */
export function useRefreshContacts() {
  const queryClient = useQueryClient();
  return () => queryClient.invalidateQueries({ queryKey: ["/api/contacts"] });
}

type Action<Input, Answer> = {
  call: (input: Input) => Promise<Answer>;
  /** The heading of the modal when it fails. */
  failureTitle: TextId;
  onDone: (answer: Answer) => void;
};

/** Something done to a contact. Whether it worked or not: how it does is fetched anew. */
export function useContactAction<Answer, Input = void>({ call, failureTitle, onDone }: Action<Input, Answer>) {
  const refresh = useRefreshContacts();
  return useMutation({
    mutationFn: call,
    onSuccess: onDone,
    onError: useShowError(failureTitle),
    onSettled: () => void refresh(),
  });
}
