import { Button } from "@mantine/core";
import { useText } from "../../app/i18n.tsx";
import type { Field } from "../../forms/forms.ts";
import { LoginFields } from "./login_fields.tsx";

const wrong = ((path: string) => ({ "data-path": path, error: " " })) as unknown as Field;

/** What the login may turn to before the app is there (`prehydration.ts`): it waits, something is wrong at a field, or elsewhere. */
export function LoginEarly() {
  const text = useText();
  return (
    <>
      <template id="early">
        <LoginFields field={wrong} pending />
      </template>
      <dialog id="early-failure" aria-labelledby="early-failure-title" aria-describedby="early-failure-words">
        <h2 id="early-failure-title">{text("login.failed")}</h2>
        {/* The words of all other failures are fetched. */}
        <p id="early-failure-words">{text("error.unreachable")}</p>
        <Button>{text("close")}</Button>
      </dialog>
    </>
  );
}
