import { Button, Group, Stack } from "@mantine/core";
import { Link } from "react-router";
import { adviceFor } from "../../src/shared/advice.ts";
import { isDrill } from "../../src/shared/breach.ts";
import type { AlertDetails, Breach } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { AdviceSteps } from "../shared/advice_steps.tsx";
import { useCountry } from "../ui/form/country.ts";
import { DrillAdviceNotice } from "./drill_notice.tsx";
import { NoAccount } from "./no_account.tsx";
import { PasswordQuestion } from "./password_question.tsx";
import { ServiceNote, StepLinks } from "./service_links.tsx";
import { useStepMutations } from "./step_mutations.ts";
import { ToggleButton } from "./toggle_button.tsx";

/** The advice as a checklist; after the last step the alert can be marked as handled. */
export function AlertAdvice({ alert, breach }: { alert: AlertDetails; breach: Breach }) {
  const { ticked, tick } = useStepMutations(alert);
  const [country, setCountry] = useCountry();
  const isDone = adviceFor([breach]).every((step) => ticked.includes(step));
  const { service } = alert;
  const hasCompany = !breach.manyServices && !isDrill(breach);
  return (
    <Stack gap="md" align="stretch">
      <DrillAdviceNotice breach={breach} />
      <PasswordQuestion alert={alert} breach={breach} />
      <AdviceSteps
        breach={breach}
        ticked={ticked}
        country={country}
        onTick={tick}
        onCountry={setCountry}
        below={(step) => service && <StepLinks step={step} service={service} />}
      >
        {alert.state === "pending" && (
          <Group gap="sm">
            <ToggleButton alert={alert} isNext={isDone} />
            {hasCompany && <WriteToCompany id={alert.id} />}
            {hasCompany && <NoAccount alert={alert} />}
          </Group>
        )}
      </AdviceSteps>
      {hasCompany && <ServiceNote service={service} />}
    </Stack>
  );
}

function WriteToCompany({ id }: { id: string }) {
  const text = useText();
  return (
    <Button component={Link} to={`../letters/${id}`} size="sm" variant="default">
      {text("letter.write")}
    </Button>
  );
}
