import { ModalStack, Stack, Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { deleteAccountInput } from "../../src/identity/profile_inputs.ts";
import { api, isApiError } from "../api.ts";
import { cancelled } from "../cancelled.ts";
import { ErrorModal } from "../errors.tsx";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { Dialog } from "./dialog.tsx";
import { FormButtons } from "./form_buttons.tsx";
import { PasswordField } from "./password_field.tsx";

const Ask = createContext<() => Promise<void>>(() => Promise.reject(cancelled()));

/**
 * For calls that the server takes only from somebody who typed the password not long ago: where it says so, a dialog asks
 * for it, then the same call is made again. Closing the dialog rejects with `cancelled()`.
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

/** Around a page: its dialogs, the failures they meet and the question of `useConfirmed` lie upon each other. */
export function DialogStack({ children }: { children: ReactNode }) {
  return (
    <ModalStack>
      <ErrorModal>
        <Confirmation>{children}</Confirmation>
      </ErrorModal>
    </ModalStack>
  );
}

function Confirmation({ children }: { children: ReactNode }) {
  const text = useText();
  const [opened, setOpened] = useState(false);
  const asked = useRef<PromiseWithResolvers<void>>(undefined);
  const ask = useCallback(() => {
    asked.current ??= Promise.withResolvers<void>();
    setOpened(true);
    return asked.current.promise;
  }, []);
  function close(isConfirmed: boolean) {
    if (isConfirmed) asked.current?.resolve();
    else asked.current?.reject(cancelled());
    asked.current = undefined;
    setOpened(false);
  }
  return (
    <Ask value={ask}>
      {children}
      <Dialog opened={opened} onClose={() => close(false)} title={text("confirm.title")}>
        <PasswordForm onConfirmed={() => close(true)} onCancel={() => close(false)} />
      </Dialog>
    </Ask>
  );
}

function PasswordForm({ onConfirmed, onCancel }: { onConfirmed: () => void; onCancel: () => void }) {
  const text = useText();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { password: "" },
    validate: schemaResolver(deleteAccountInput, { sync: true }),
    send: api.confirmPassword,
    failureTitle: "confirm.failed",
    onSuccess: onConfirmed,
  });
  return (
    <form ref={element} onSubmit={submit} noValidate>
      <Stack gap={18}>
        {" "}
        <Text>{text("confirm.text")}</Text>
        <PasswordField
          label={text("field.password")}
          autoComplete="current-password"
          data-autofocus
          {...field("password")}
        />
        <FormButtons submitLabel={text("confirm.submit")} pending={pending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
