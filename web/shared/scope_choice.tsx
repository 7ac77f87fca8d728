import { Checkbox, Radio, Stack } from "@mantine/core";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { useText } from "../app/i18n.tsx";

type Props = {
  /** The question above the choice. */
  label: string;
  value: ConsentScope;
  onChange: (scope: ConsentScope) => void;
};

/** What the owner of an address lets its manager see. */
export function ScopeChoice({ label, value, onChange }: Props) {
  const text = useText();
  return (
    <Stack gap="md">
      <Radio.Group
        label={label}
        value={value.details ? "details" : "notice"}
        onChange={(chosen) => onChange({ ...value, details: chosen === "details" })}
      >
        <Stack gap="sm" mt="xs">
          <Radio value="notice" label={text("scope.notice")} description={text("scope.notice_hint")} />
          <Radio value="details" label={text("scope.details")} description={text("scope.details_hint")} />
        </Stack>
      </Radio.Group>
      <Checkbox
        label={text("scope.sensitive")}
        description={text("scope.sensitive_hint")}
        checked={value.sensitive}
        onChange={({ currentTarget }) => onChange({ ...value, sensitive: currentTarget.checked })}
      />
    </Stack>
  );
}

/** A scope in a few words. */
export function useScopeText() {
  const text = useText();
  return ({ details, sensitive }: ConsentScope) => {
    const seen = text(details ? "scope.details" : "scope.notice");
    return sensitive ? text("scope.with_sensitive", { seen }) : seen;
  };
}
