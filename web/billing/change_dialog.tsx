import { Button, Group, Text } from "@mantine/core";
import { IconRefresh, IconStack2 } from "@tabler/icons-react";
import type { PlanPreview } from "../api/billing_api.ts";
import { useText } from "../app/i18n.tsx";
import { usePlanWords } from "../shared/plan_words.ts";
import { Dialog } from "../ui/dialog/dialog.tsx";
import { Fact } from "../ui/display/fact.tsx";
import { useMoney } from "../ui/display/money.ts";
import { Notice } from "../ui/display/notice.tsx";
import type { useChange } from "./changing.ts";
import { beyond } from "./choice.ts";
import classes from "./subscription.module.css";

type Props = {
  change: Pick<ReturnType<typeof useChange>, "shown" | "opened" | "close" | "confirm" | "confirming">;
  /** The plan was cancelled and stays so after the change. */
  isCancelled: boolean;
};

/** Shows what a change of plan costs and asks for confirmation. */
export function ChangeDialog({ change: { shown, opened, close, confirm, confirming }, isCancelled }: Props) {
  const text = useText();
  const money = useMoney();
  if (shown === undefined) return null;
  const { preview, renewed } = shown;
  const { due, currency } = preview;
  return (
    <Dialog opened={opened} onClose={close} title={text("change.title")}>
      <div className={classes.below} role="status">
        {renewed && (
          <Notice icon={IconRefresh} tone="note">
            {text("change.renewed")}
          </Notice>
        )}
      </div>
      <Terms preview={preview} isCancelled={isCancelled} />
      <div className={classes.below}>
        <Rest preview={preview} />
        <Text size="sm" c="dimmed">
          {text("change.hint")}
        </Text>
      </div>
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={close}>
          {text("cancel")}
        </Button>
        <Button loading={confirming} onClick={() => confirm(preview)} data-autofocus>
          {due > 0 ? text("change.pay", { amount: money({ amount: due, currency }) }) : text("change.confirm")}
        </Button>
      </Group>
    </Dialog>
  );
}

function Terms({ preview, isCancelled }: { preview: PlanPreview; isCancelled: boolean }) {
  const text = useText();
  const money = useMoney();
  const words = usePlanWords();
  const { due, credit, regular, cap, currency, period } = preview;
  return (
    <dl className={classes.terms}>
      <Fact label={text("change.plan")}>
        {words.bought(preview)} · {words.capacity(cap)}
      </Fact>
      <Fact label={text("change.due")} className={classes.due}>
        {due > 0 ? money({ amount: due, currency }) : text("change.nothing")}
      </Fact>
      {credit > 0 && <Fact label={text("change.credit")}>{money({ amount: credit, currency })}</Fact>}
      <Fact label={text("change.regular")}>
        {isCancelled ? text("change.ends") : words.price({ amount: regular, currency, period })}
      </Fact>
    </dl>
  );
}

/** Warns when the new plan does not cover all tracked addresses. */
function Rest({ preview: { tracked, cap } }: { preview: PlanPreview }) {
  const text = useText();
  const over = beyond(tracked, cap);
  if (over === 0) return null;
  return (
    <Notice icon={IconStack2} tone="note">
      {text("change.rest", { over, tracked })}
    </Notice>
  );
}
