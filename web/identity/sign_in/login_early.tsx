import { Button } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";
import type { Field } from "../../forms/forms.ts";
import { LoginFields } from "./login_fields.tsx";

const wrong = ((path: string) => ({ "data-path": path, error: " " })) as unknown as Field;

/** The states of the login before hydration (`prehydration.ts`): pending, field errors, and the error dialog. */
export function LoginPrehydration() {
  const text = useText();
  return (
    <>
      <template id="early">
        <LoginFields field={wrong} pending />
      </template>
      <dialog id="early-failure" aria-labelledby="early-failure-title" aria-describedby="early-failure-words">
        <h2 id="early-failure-title">{text("login.failed")}</h2>
        {/* Messages of other errors are loaded on demand. */}
        <p id="early-failure-words">{text("error.unreachable")}</p>
        <Button>{text("close")}</Button>
      </dialog>
    </>
  );
}
