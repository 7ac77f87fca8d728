import { Checkbox, NativeSelect, TextInput } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useMemo } from "react";
import { useIntl } from "react-intl";
import { useText } from "../app/i18n.tsx";
import type { Field } from "../forms/forms.ts";
import classes from "./contact_card.module.css";
import { hourText, isTimed, ownZone, type SettingsValues, zonesWith } from "./settings_values.ts";

type Props = { field: Field; values: SettingsValues };

/** When messages are sent: immediately or in a daily digest, and the quiet hours. */
export function TimeFields({ field, values }: Props) {
  const text = useText();
  const { locale } = useIntl();
  const hours = Array.from({ length: 24 }, (_, hour) => ({ value: String(hour), label: hourText(hour, locale) }));
  const chevron = <IconChevronDown size={16} aria-hidden="true" />;
  const digests = (["medium", "high", "critical"] as const).map((level) => ({
    value: level,
    label: text(`contact_settings.digest_${level}`),
  }));
  return (
    <>
      <NativeSelect
        label={text("contact_settings.when")}
        description={text("contact_settings.when_hint")}
        data={[{ value: "", label: text("contact_card.at_once") }, ...digests]}
        rightSection={chevron}
        data-autofocus
        {...field("digestBelow")}
      />
      {values.digestBelow !== "" && (
        <NativeSelect
          label={text("contact_settings.hour")}
          data={hours}
          rightSection={chevron}
          {...field("digestHour")}
        />
      )}
      <Checkbox
        label={text("contact_settings.quiet")}
        description={text("contact_settings.quiet_hint")}
        {...field("hasQuiet", "checkbox")}
      />
      {values.hasQuiet && (
        <div className={classes.pair}>
          <TextInput type="time" label={text("contact_settings.from")} {...field("from")} />
          <TextInput type="time" label={text("contact_settings.to")} {...field("to")} />
        </div>
      )}
      {isTimed(values) && <Zone field={field} zone={values.zone} />}
    </>
  );
}

function Zone({ field, zone }: { field: Field; zone: string }) {
  const text = useText();
  const zones = useMemo(() => zonesWith(ownZone(), zone), [zone]);
  const data = zones.map((name) => ({ value: name, label: name.replaceAll("_", " ") }));
  return <NativeSelect label={text("contact_settings.zone")} data={data} {...field("zone")} />;
}
