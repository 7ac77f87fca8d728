import { Checkbox, NativeSelect, Radio, Stack, Textarea, TextInput } from "@mantine/core";
import { useIntl } from "react-intl";
import { LANGUAGES, type Language } from "../../src/shared/language.ts";
import {
  LETTER_ASKS,
  LETTER_COUNTRIES,
  type LetterAsk,
  type LetterCountry,
  LONGEST_COMPANY,
  lawOf,
} from "../../src/shared/letters.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import type { LetterFacts } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { OptionalLabel } from "../ui/form/optional_label.tsx";
import classes from "./letter_fields.module.css";
import type { Party } from "./letter_text.ts";

/** What a person chooses and types for a letter. */
export type Draft = {
  /** The place of a known company in the list; -1 for one's own address. */
  listed: number;
  to: Party;
  asks: LetterAsk[];
  language: Language;
  name: string;
  ownAddress: string;
  sentOn: string;
};

type Props = { draft: Draft; change: (more: Partial<Draft>) => void };
type CompanyProps = Props & { companies: LetterFacts["companies"] };

const OWN = -1;

export function partyOf(company: LetterFacts["companies"][number] | undefined, service: string): Party {
  if (company === undefined) return { name: service, address: "", email: "" };
  return { name: company.name, address: company.address, email: shownAddress(company.email ?? "") };
}

/** Chooses a known company, or takes another address. */
export function CompanyFields({ draft, change, companies }: CompanyProps) {
  const text = useText();
  const { listed, to } = draft;
  const choose = (place: number) => {
    const company = companies[place];
    change({ listed: place, to: company ? partyOf(company, "") : { name: to.name, address: "", email: "" } });
  };
  const type = (more: Partial<Party>) => change({ listed: OWN, to: { ...to, ...more } });
  return (
    <Stack gap="sm">
      {companies.length === 0 ? (
        <p>{text("letter.unknown")}</p>
      ) : (
        <Radio.Group label={text("letter.listed")} value={String(listed)} onChange={(value) => choose(Number(value))}>
          <Stack gap={6} mt={6}>
            {companies.map(({ name }, place) => (
              <Radio key={name} value={String(place)} label={name} />
            ))}
            <Radio value={String(OWN)} label={text("letter.own")} />
          </Stack>
        </Radio.Group>
      )}
      <TextInput
        label={text("letter.company")}
        value={to.name}
        maxLength={LONGEST_COMPANY}
        onChange={({ currentTarget }) => type({ name: currentTarget.value })}
      />
      <Textarea
        label={<OptionalLabel label={text("letter.address")} />}
        autosize
        minRows={3}
        value={to.address}
        onChange={({ currentTarget }) => type({ address: currentTarget.value })}
      />
      <TextInput
        label={<OptionalLabel label={text("letter.email")} />}
        type="email"
        value={to.email}
        onChange={({ currentTarget }) => type({ email: currentTarget.value })}
      />
    </Stack>
  );
}

export function AskFields({ draft, change }: Props) {
  const text = useText();
  return (
    <Checkbox.Group
      label={text("letter.asks")}
      value={draft.asks}
      onChange={(values) => change({ asks: LETTER_ASKS.filter((ask) => values.includes(ask)) })}
    >
      <Stack gap={6} mt={6}>
        {LETTER_ASKS.map((ask) => (
          <Checkbox key={ask} value={ask} label={text(`letter.ask.${ask}`)} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

type LawProps = Props & { country: LetterCountry; onCountry: (country: LetterCountry) => void };

export function LawFields({ draft, change, country, onCountry }: LawProps) {
  const text = useText();
  const { locale, formatDisplayName } = useIntl();
  const countries = LETTER_COUNTRIES.map((value) => ({
    value: value as string,
    label: formatDisplayName(value, { type: "region" }) ?? value,
  }));
  return (
    <div className={classes.pair}>
      <NativeSelect
        label={text("letter.country")}
        description={text(`letter.law.${lawOf(country)}`)}
        inputWrapperOrder={["label", "input", "description"]}
        data={countries.toSorted((one, other) => one.label.localeCompare(other.label, locale))}
        value={country}
        onChange={({ currentTarget }) => onCountry(currentTarget.value as LetterCountry)}
      />
      <NativeSelect
        label={text("letter.language")}
        data={LANGUAGES.map((value) => ({ value, label: formatDisplayName(value, { type: "language" }) ?? value }))}
        value={draft.language}
        onChange={({ currentTarget }) => change({ language: currentTarget.value as Language })}
      />
    </div>
  );
}

export function SenderFields({ draft, change }: Props) {
  const text = useText();
  return (
    <Stack gap="sm">
      <TextInput
        label={text("letter.name")}
        autoComplete="name"
        value={draft.name}
        onChange={({ currentTarget }) => change({ name: currentTarget.value })}
      />
      <Textarea
        label={<OptionalLabel label={text("letter.own_address")} />}
        description={text("letter.own_address_hint")}
        autoComplete="street-address"
        autosize
        minRows={2}
        value={draft.ownAddress}
        onChange={({ currentTarget }) => change({ ownAddress: currentTarget.value })}
      />
    </Stack>
  );
}
