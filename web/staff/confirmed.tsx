import { PasswordInput, Text } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { createContext, type ReactNode, useCallback, useContext, useRef, useState } from "react";
import { deleteAccountInput } from "../../src/identity/profile_inputs.ts";
import { api, isApiError } from "../api.ts";
import { cancelled } from "../cancelled.ts";
import { useServerForm } from "../forms.ts";
import { useText } from "../i18n.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { FormButtons } from "../ui/form_buttons.tsx";
import classes from "./staff.module.css";

const Ask = createContext<() => Promise<void>>(() => Promise.reject(cancelled()));

/** Makes a call that needs a password typed not long ago: where the server says so, it is asked for, then made again. */
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

/** Holds the dialog of `useConfirmed`. */
export function Confirmation({ children }: { children: ReactNode }) {
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
      <Dialog opened={opened} onClose={() => close(false)} title={text("staff.confirm.title")} zIndex={300}>
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
    failureTitle: "staff.confirm.failed",
    onSuccess: onConfirmed,
  });
  const props = field("password");
  return (
    <form ref={element} onSubmit={submit} noValidate className={classes.form}>
      <Text>{text("staff.confirm.text")}</Text>
      <PasswordInput
        label={text("field.password")}
        autoComplete="current-password"
        data-autofocus
        aria-invalid={"error" in props}
        visibilityToggleButtonProps={{ "aria-label": text("field.show_password") }}
        {...props}
      />
      <FormButtons submitLabel={text("staff.confirm.submit")} pending={pending} onCancel={onCancel} />
    </form>
  );
}
