import { queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, type ConsentLink, isApiError } from "../api/api.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";

/** What a mailed link is about. Looking changes nothing; nothing of it stays when the page is left. */
export function consentLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["/api/invitation-links/inspect", token],
    queryFn: () => api.inspectConsentLink(token),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The link leads nowhere, or nowhere any more. */
export function isInvalidLink(error: unknown): boolean {
  return isApiError(error) && error.code === "INVITATION_INVALID";
}

type Act<Input, Answer> = {
  token: string;
  send: (input: Input) => Promise<Answer>;
  failureTitle: TextId;
  /** What the link is about from then on; the record of it is fetched anew. */
  change?: (answer: Answer) => Partial<ConsentLink>;
  onDone?: (answer: Answer, input: Input) => void;
};

/** What the owner does by the link. If somebody else was faster, in another tab, the page shows what holds now. */
export function useConsentAct<Input, Answer>({ token, send, failureTitle, change, onDone }: Act<Input, Answer>) {
  const queryClient = useQueryClient();
  const showError = useShowError(failureTitle);
  const { queryKey } = consentLinkQuery(token);
  return useMutation({
    mutationFn: send,
    onSuccess: (answer, input) => {
      onDone?.(answer, input);
      if (!change) return;
      queryClient.setQueryData(queryKey, (link) => link && { ...link, ...change(answer) });
      void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error) => {
      showError(error);
      if (isInvalidLink(error)) void queryClient.invalidateQueries({ queryKey });
    },
  });
}
