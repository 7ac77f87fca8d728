import { useEffect } from "react";
import { useBlocker } from "react-router";
import { useText } from "../../app/i18n.tsx";
import { splitPath } from "../../app/language.ts";
import { ConfirmDialog } from "../dialog/confirm_dialog.tsx";

/**
 * Asks for confirmation before leaving a page with unsaved changes. A change of language stays on the page, and after a
 * logout nothing can be saved.
 */
export function LeaveGuard({ isUnsaved }: { isUnsaved: () => boolean }) {
  const text = useText();
  const blocker = useBlocker(({ currentLocation, nextLocation }) => {
    const next = splitPath(nextLocation.pathname).rest;
    return next !== splitPath(currentLocation.pathname).rest && next !== "/login" && isUnsaved();
  });
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => {
      if (isUnsaved()) event.preventDefault();
    };
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isUnsaved]);
  return (
    <ConfirmDialog
      opened={blocker.state === "blocked"}
      title={text("leave.title")}
      confirmLabel={text("leave.confirm")}
      danger
      pending={false}
      onConfirm={() => blocker.proceed?.()}
      onClose={() => blocker.reset?.()}
    >
      {text("leave.text")}
    </ConfirmDialog>
  );
}
