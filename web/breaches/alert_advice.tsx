import { Stack } from "@mantine/core";
import type { AlertDetails, Breach } from "../api.ts";
import { AdviceSteps } from "../ui/advice_steps.tsx";
import { useCountry } from "../ui/country.ts";
import { DrillAdviceNotice } from "./drill_notice.tsx";
import { useTicking } from "./ticking.ts";

/** What its data enables, and what to do about it, ticked off step by step. */
export function AlertAdvice({ alert, breach }: { alert: AlertDetails; breach: Breach }) {
  const { ticked, tick } = useTicking(alert);
  const [country, setCountry] = useCountry();
  return (
    <Stack gap="md">
      <DrillAdviceNotice breach={breach} />
      <AdviceSteps breach={breach} country={country} ticked={ticked} onTick={tick} onCountry={setCountry} />
    </Stack>
  );
}
