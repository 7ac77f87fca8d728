import { Stack } from "@mantine/core";
import { adviceFor } from "../../src/shared/advice.ts";
import type { AlertDetails, Breach } from "../api/api.ts";
import { AdviceSteps } from "../shared/advice_steps.tsx";
import { useCountry } from "../ui/form/country.ts";
import { DrillAdviceNotice } from "./drill_notice.tsx";
import { useStepMutations } from "./step_mutations.ts";
import { ToggleButton } from "./toggle_button.tsx";

/** The advice as a checklist; after the last step the alert can be marked as handled. */
export function AlertAdvice({ alert, breach }: { alert: AlertDetails; breach: Breach }) {
  const { ticked, tick } = useStepMutations(alert);
  const [country, setCountry] = useCountry();
  const isDone = adviceFor([breach]).every((step) => ticked.includes(step));
  return (
    <Stack gap="md" align="stretch">
      <DrillAdviceNotice breach={breach} />
      <AdviceSteps breach={breach} ticked={ticked} country={country} onTick={tick} onCountry={setCountry}>
        {alert.state === "pending" && <ToggleButton alert={alert} isNext={isDone} />}
      </AdviceSteps>
    </Stack>
  );
}
