import { ModalStack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type ComponentType, createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { toast } from "sonner";
import { isApiError } from "../../api/api.ts";
import { cancelled } from "../../api/cancelled.ts";
import { instanceQuery } from "../../api/queries.ts";
import { ErrorModal } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";

type Question = ComponentType<{ opened: boolean; onConfirmed: () => void; onCancel: () => void }>;
const Ask = createContext<() => Promise<void>>(() => Promise.reject(cancelled()));

/**
 * Wraps calls that require reauthentication: when the server asks for it, a dialog asks for the password, then the call
 * is repeated. Closing the dialog rejects with `cancelled()`.
 */
export function useConfirmed() {
  const ask = useContext(Ask);
  return useCallback(
    async <Value,>(call: () => Promise<Value>): Promise<Value> => {
      try {
        return await call();
      } catch (error) {
        if (!isApiError(error) || error.code !== "REAUTHENTICATION_REQUIRED") throw error;
        await ask();
        return call();
      }
    },
    [ask],
  );
}

/** Wraps a page: stacks its dialogs, their errors and the password dialog of `useConfirmed`. */
export function DialogStack({ children }: { children: ReactNode }) {
  return (
    <ModalStack>
      <ErrorModal>
        <Confirmation>{children}</Confirmation>
      </ErrorModal>
    </ModalStack>
  );
}

/** The question for the password, or for the provider where there are no passwords. Rarely needed, so it is loaded on demand. */
async function questionFor(isProvidersOnly: boolean): Promise<Question> {
  if (isProvidersOnly) return (await import("../form/provider_question.tsx")).ProviderQuestion;
  return (await import("../form/password_question.tsx")).PasswordQuestion;
}

function Confirmation({ children }: { children: ReactNode }) {
  const text = useText();
  const isProvidersOnly = useQuery(instanceQuery).data?.providersOnly === true;
  const [Question, setQuestion] = useState<Question>();
  const [opened, setOpened] = useState(false);
  const asked = useRef<PromiseWithResolvers<void>>(undefined);
  const close = useCallback((isConfirmed: boolean) => {
    if (isConfirmed) asked.current?.resolve();
    else asked.current?.reject(cancelled());
    asked.current = undefined;
    setOpened(false);
  }, []);
  const ask = useCallback(() => {
    asked.current ??= Promise.withResolvers<void>();
    const { promise } = asked.current;
    const open = (loaded: Question) => {
      setQuestion(() => loaded);
      setOpened(true);
    };
    questionFor(isProvidersOnly).then(open, () => {
      toast.error(text("error.unreachable"));
      close(false);
    });
    return promise;
  }, [close, text, isProvidersOnly]);
  return (
    <Ask value={ask}>
      {children}
      {Question && <Question opened={opened} onConfirmed={() => close(true)} onCancel={() => close(false)} />}
    </Ask>
  );
}
