import { put } from "../api/call.ts";
import "@mantine/core/styles/Switch.layer.css";
import { Switch } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { ContactHealth } from "../api/api.ts";
import { useRefreshContacts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { contactName } from "../shared/contact_name.ts";
import classes from "./contact_card.module.css";
import { ownZone, type SettingsValues, settingsOf, settingsValuesOf } from "./settings_values.ts";

/** The most used settings as switches, outside the settings form. */
export function ContactSwitches({ contact }: { contact: ContactHealth }) {
  const text = useText();
  const refresh = useRefreshContacts();
  const before = settingsValuesOf(contact, ownZone());
  // Optimistic update: shows the new value until the list has been refetched.
  const [change, setChange] = useState<Partial<SettingsValues>>({});
  const { mutate } = useMutation({
    mutationFn: (wanted: Partial<SettingsValues>) =>
      put("/api/contacts/:id/settings", { params: { id: contact.id }, body: settingsOf({ ...before, ...wanted }) }),
    onError: useShowError("contact_settings.failed"),
    onSettled: async () => {
      await refresh();
      setChange({});
    },
  });
  const { hasQuiet, digestBelow } = { ...before, ...change };
  function save(wanted: Partial<SettingsValues>) {
    const all = { ...change, ...wanted };
    setChange(all);
    mutate(all);
  }
  const named = (label: string) => ({ label, "aria-label": `${label}: ${contactName(contact)}` });
  return (
    <div className={classes.switches}>
      <Switch
        {...named(text("contact_settings.quiet"))}
        checked={hasQuiet}
        onChange={({ currentTarget }) => save({ hasQuiet: currentTarget.checked })}
      />
      <Switch
        {...named(text("contact_card.digest"))}
        checked={digestBelow !== ""}
        onChange={({ currentTarget }) => save({ digestBelow: currentTarget.checked ? "medium" : "" })}
      />
    </div>
  );
}
