import { Button, Chip, Group, NativeSelect } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustmentsHorizontal, IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { LONGEST_WORDS } from "../../src/shared/alert.ts";
import type { BreachFlag } from "../../src/shared/breach.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { SearchField } from "../ui/form/search_field.tsx";
import { type AlertView, filtersSet, NO_FILTERS } from "./alert_filter.ts";
import classes from "./alert_filters.module.css";
import { facetsQuery } from "./queries.ts";

/** Pending first, as it is the default. */
const STATES = ["pending", "handled", "all"] as const satisfies readonly AlertView["state"][];

export type Part = { view: AlertView; show: (change: Partial<AlertView>, replace?: boolean) => void };

/** The filters of the list; on a phone the selects are behind a button. */
export function AlertFilters({ view, show }: Part) {
  const text = useText();
  const panel = useId();
  const made = filtersSet(view);
  const [opened, { toggle }] = useDisclosure(made > 0);
  const { data } = useQuery(facetsQuery);
  const hasChoices = made > 0 || data === undefined || data.addresses.length > 0;
  return (
    <div className={classes.filters}>
      <StateFilter view={view} show={show} />
      <SearchField
        label={text("alerts.search")}
        className={classes.search}
        most={LONGEST_WORDS}
        value={view.search}
        onSearch={(search) => show({ search, page: 1 })}
      />
      {hasChoices && (
        <>
          <Button
            variant="default"
            className={classes.opener}
            px={10}
            aria-label={made > 0 ? text("alerts.filters_set", { count: made }) : text("alerts.filters")}
            aria-expanded={opened}
            aria-controls={panel}
            onClick={toggle}
          >
            <IconAdjustmentsHorizontal size={18} aria-hidden="true" />
            {made > 0 && <span className={classes.made}>{made}</span>}
          </Button>
          <div id={panel} className={classes.choices} data-opened={opened || undefined}>
            <Choices view={view} show={show} />
            {made > 0 && (
              <Button
                variant="subtle"
                px={10}
                aria-label={text("alerts.clear_filters")}
                onClick={() => show({ ...NO_FILTERS, state: view.state, search: view.search })}
              >
                <IconX size={17} aria-hidden="true" />
                <span className={classes.clear}>{text("alerts.clear_filters")}</span>
              </Button>
            )}
          </div>
        </>
      )}
    </div>
  );
}

function StateFilter({ view, show }: Part) {
  const text = useText();
  return (
    <Chip.Group
      value={view.state}
      onChange={(state) => show({ state: STATES.find((known) => known === state) ?? NO_FILTERS.state, page: 1 })}
    >
      <Group gap={6} role="radiogroup" aria-label={text("alerts.status")}>
        {STATES.map((state) => (
          <Chip key={state} name="alert-state" value={state} size="sm" variant="outline">
            {text(`alerts.filter_${state}`)}
          </Chip>
        ))}
      </Group>
    </Chip.Group>
  );
}

function Choices({ view, show }: Part) {
  const text = useText();
  const { data } = useQuery(facetsQuery);
  const classText = useTopic("data_classes");
  const flagText = useTopic("flags");
  // The counts are of all alerts, whatever their state.
  const withCount = (label: string, count: number) =>
    view.state === "all" ? text("alerts.option", { label, count }) : label;
  const addresses = (data?.addresses ?? []).map(({ address, count }) => ({
    value: address,
    label: withCount(shownAddress(address), count),
  }));
  const categories = (data?.categories ?? []).map(({ key, label, count }) => ({
    value: key,
    label: withCount(classText(key, label), count),
  }));
  const flags = (data?.flags ?? []).map(({ flag, count }) => ({
    value: flag,
    label: withCount(flagText(`${flag}_label`, flag), count),
  }));
  return (
    <>
      <Choice
        label={text("alerts.address")}
        any={text("alerts.any_address")}
        value={view.address}
        options={addresses}
        onChange={(address) => show({ address, page: 1 })}
      />
      <Choice
        label={text("alerts.data")}
        any={text("alerts.any_category")}
        value={view.category}
        options={byWord(categories)}
        onChange={(category) => show({ category, page: 1 })}
      />
      <Choice
        label={text("alerts.flag")}
        any={text("alerts.any_flag")}
        value={view.flag ?? ""}
        options={byWord(flags)}
        onChange={(flag) => show({ flag: (flag || undefined) as BreachFlag | undefined, page: 1 })}
      />
    </>
  );
}

type Option = { value: string; label: string };
type ChoiceProps = {
  label: string;
  any: string;
  value: string;
  options: Option[];
  onChange: (value: string) => void;
};

function byWord(options: Option[]): Option[] {
  return options.toSorted((one, other) => one.label.localeCompare(other.label));
}

function Choice({ label, any, value, options, onChange }: ChoiceProps) {
  // A link may name a value that no alert has any more: it stays selected, so that it can be cleared.
  const known = value === "" || options.some((option) => option.value === value);
  return (
    <NativeSelect
      aria-label={label}
      className={classes.choice}
      wrapperProps={{ "data-words": any }}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={[{ value: "", label: any }, ...(known ? [] : [{ value, label: value }]), ...options]}
    />
  );
}
