import { NativeSelect } from "@mantine/core";
import { useIntl } from "react-intl";
import { COUNTRIES, type Country, isCountry } from "../../../src/shared/advice.ts";
import { useTopic } from "../../app/i18n.tsx";

type Props = { value: Country | undefined; onChange: (country: Country | undefined) => void };

/** Selects a country, as far as the advice depends on it. */
export function CountrySelect({ value, onChange }: Props) {
  const { locale } = useIntl();
  const adviceText = useTopic("advice");
  const names = new Intl.DisplayNames(locale, { type: "region" });
  const countries = COUNTRIES.map((country) => ({ value: country as string, label: names.of(country) ?? country }));
  return (
    <NativeSelect
      label={adviceText("label.country", "")}
      description={adviceText("label.country_hint", "")}
      data={[
        ...countries.toSorted((one, other) => one.label.localeCompare(other.label, locale)),
        { value: "", label: adviceText("label.no_country", "") },
      ]}
      value={value ?? ""}
      onChange={({ currentTarget }) => onChange(isCountry(currentTarget.value) ? currentTarget.value : undefined)}
    />
  );
}
