import { useState } from "react";
import { post } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useAccountAction } from "../profile/account_action.tsx";
import { AuthenticatorForm, type NewAuthenticator } from "./authenticator_form.tsx";
import { PasskeyForm } from "./passkey_form.tsx";
import { RecoveryCodes } from "./recovery_codes.tsx";

type SetUp = { kind: "app"; added: NewAuthenticator } | { kind: "passkey" } | { kind: "codes"; codes: string[] };

const TITLES = { app: "app.dialog", passkey: "passkeys.add", codes: "recovery.dialog" } as const;

/** Sets up a second factor. The first one creates recovery codes, which are shown afterwards. */
export function useSetUp() {
  const [opened, setOpened] = useState(false);
  const [step, setStep] = useState<SetUp>({ kind: "passkey" });
  const open = (first: SetUp) => {
    setStep(first);
    setOpened(true);
  };
  const { mutate, isPending } = useAccountAction({
    call: () => post("/api/factors/authenticator"),
    changes: [],
    failureTitle: "app.failed",
    onDone: (added) => open({ kind: "app", added }),
  });
  const close = () => setOpened(false);
  return {
    setUpApp: () => mutate(),
    appPending: isPending,
    addPasskey: () => open({ kind: "passkey" }),
    dialogs: (
      <SetUpDialog
        opened={opened}
        step={step}
        onClose={close}
        onDone={(codes) => (codes ? setStep({ kind: "codes", codes }) : close())}
      />
    ),
  };
}

type Props = { opened: boolean; step: SetUp; onClose: () => void; onDone: (codes: string[] | null) => void };

function SetUpDialog({ opened, step, onClose, onDone }: Props) {
  const text = useText();
  return (
    <Dialog
      opened={opened}
      onClose={onClose}
      title={text(TITLES[step.kind])}
      closeOnClickOutside={step.kind !== "codes"}
    >
      {step.kind === "app" && <AuthenticatorForm added={step.added} onDone={onDone} onClose={onClose} />}
      {step.kind === "passkey" && <PasskeyForm onDone={onDone} onClose={onClose} />}
      {step.kind === "codes" && <RecoveryCodes codes={step.codes} onClose={onClose} />}
    </Dialog>
  );
}
