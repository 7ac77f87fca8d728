import { useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useSingleMutation } from "../../api/single_mutation.ts";
import { useShowError } from "../../app/errors.tsx";
import type { TextId } from "../../app/text_id.ts";
import { ConfirmDialog } from "../../ui/dialog/confirm_dialog.tsx";
import { useConfirmed } from "../../ui/dialog/confirmation.tsx";

type Changed = "/api/profile" | "/api/me" | "/api/factors" | "/api/sessions" | "/api/tokens" | "/api/providers";

/** Returns a function that refetches what an account action has changed, and the recent activity, which records it. */
export function useRefresh(...changed: Changed[]) {
  const queryClient = useQueryClient();
  return () =>
    Promise.all([...changed, "/api/activity"].map((path) => queryClient.invalidateQueries({ queryKey: [path] })));
}

type Options<Answer> = {
  call: () => Promise<Answer>;
  changes: Changed[];
  failureTitle: TextId;
  onDone: (answer: Answer) => void;
};

/** An account action behind a button, with reauthentication where the server requires it. */
export function useAccountAction<Answer>({ call, changes, failureTitle, onDone }: Options<Answer>) {
  const confirmed = useConfirmed();
  const refresh = useRefresh(...changes);
  return useSingleMutation({
    mutationFn: () => confirmed(call),
    onSuccess: async (answer) => {
      await refresh();
      onDone(answer);
    },
    onError: useShowError(failureTitle),
  });
}

type ConfirmProps<Answer> = Options<Answer> & {
  opened: boolean;
  title: string;
  children: ReactNode;
  confirmLabel: string;
  onClose: () => void;
};

/** Asks for confirmation of a destructive action on the account, and performs it. */
export function ConfirmAccountAction<Answer>({
  call,
  changes,
  failureTitle,
  onDone,
  onClose,
  ...dialog
}: ConfirmProps<Answer>) {
  const { mutate, isPending } = useAccountAction({
    call,
    changes,
    failureTitle,
    onDone(answer: Answer) {
      onClose();
      onDone(answer);
    },
  });
  return <ConfirmDialog {...dialog} danger pending={isPending} onConfirm={() => mutate()} onClose={onClose} />;
}
