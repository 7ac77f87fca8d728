import { Button, Group, Text } from "@mantine/core";
import { IconCircleCheck, IconKey } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { adviceFor, serviceName } from "../../src/shared/advice.ts";
import { PASSWORD_CHANGES, type PasswordChange } from "../../src/shared/alert.ts";
import { isDrill } from "../../src/shared/breach.ts";
import type { AlertDetails, Breach } from "../api/api.ts";
import { put } from "../api/call.ts";
import { refreshAlerts } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import { useText } from "../app/i18n.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { Notice } from "../ui/display/notice.tsx";

type Props = { alert: AlertDetails; breach: Breach };

/** Asks once when the password was last changed, as a breach that is older needs no new one. */
export function PasswordQuestion({ alert, breach }: Props) {
  const [isAgain, setAgain] = useState(false);
  const { changedSince } = alert;
  if (breach.manyServices || isDrill(breach) || !adviceFor([breach]).includes("password")) return null;
  if (changedSince !== null && !isAgain) return <Answered changed={changedSince} onAgain={() => setAgain(true)} />;
  if (alert.state === "handled") return null;
  return <Question alert={alert} breach={breach} onAnswered={() => setAgain(false)} />;
}

function Question({ alert, breach, onAnswered }: Props & { onAnswered: () => void }) {
  const text = useText();
  const formatDate = useFormatDate();
  const queryClient = useQueryClient();
  const showError = useShowError("password_changed.failed");
  const { mutate, isPending, variables } = useMutation({
    mutationFn: (changed: PasswordChange) =>
      put("/api/alerts/:id/password", { params: { id: alert.id }, body: { changed } }),
    onSuccess: onAnswered,
    onError: showError,
    onSettled: () => refreshAlerts(queryClient),
  });
  const date = breach.breachDate && formatDate(breach.breachDate, { dateStyle: "long", timeZone: "UTC" });
  return (
    <Notice icon={IconKey}>
      <strong>{text("password_changed.question", { service: serviceName(breach) })}</strong>
      {date && <Text inherit>{text("password_changed.happened", { date })}</Text>}
      <Group gap="xs" mt="xs">
        {PASSWORD_CHANGES.map((changed) => (
          <Button
            key={changed}
            size="xs"
            variant="default"
            loading={isPending && variables === changed}
            onClick={() => mutate(changed)}
          >
            {text(`password_changed.${changed}`)}
          </Button>
        ))}
      </Group>
    </Notice>
  );
}

function Answered({ changed, onAgain }: { changed: PasswordChange; onAgain: () => void }) {
  const text = useText();
  return (
    <Notice icon={changed === "after" ? IconCircleCheck : IconKey}>
      <Text inherit role="status">
        {text(`password_changed.is_${changed}`)}
      </Text>
      <Button size="compact-sm" variant="subtle" ml={-8} onClick={onAgain}>
        {text("password_changed.again")}
      </Button>
    </Notice>
  );
}
