import { queryOptions, useQueryClient } from "@tanstack/react-query";
import { type ConsentLink, isApiError } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useSingleMutation } from "../api/single_mutation.ts";
import { useShowError } from "../app/errors.tsx";
import type { TextId } from "../app/text_id.ts";

/** What a mailed link refers to. The request has no side effects; its result is not cached after the page is left. */
export function consentLinkQuery(token: string) {
  return queryOptions({
    queryKey: ["/api/invitation-links/inspect", token],
    queryFn: () => post("/api/invitation-links/inspect", { body: { token } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The link is invalid or no longer valid. */
export function isInvalidLink(error: unknown): boolean {
  return isApiError(error) && error.code === "INVITATION_INVALID";
}

type Act<Input, Answer> = {
  token: string;
  send: (input: Input) => Promise<Answer>;
  failureTitle: TextId;
  /** Changes to the cached link data; the consent record is fetched again. */
  change?: (answer: Answer) => Partial<ConsentLink>;
  onDone?: (answer: Answer, input: Input) => void;
};

/** An action of the address's owner. If another tab was faster, the page shows the current state. */
export function useConsentAct<Input, Answer>({ token, send, failureTitle, change, onDone }: Act<Input, Answer>) {
  const queryClient = useQueryClient();
  const showError = useShowError(failureTitle);
  const { queryKey } = consentLinkQuery(token);
  return useSingleMutation({
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
