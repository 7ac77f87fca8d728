import { Box, Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { useExplain, useShowUnder } from "../../app/errors.tsx";
import { useText } from "../../app/i18n.tsx";
import { EmptyState } from "./empty_state.tsx";

type Props = {
  title: string;
  error: unknown;
  /** Asks again; the promise, if there is one, ends with the answer. */
  onRetry: () => unknown;
  /** The height of the placeholder before it: what stands below stays where it was. */
  height?: number;
};

/**
 * Shown instead of what could not be loaded, with a button to try again. The modal tells the failure when this appears and
 * after each retry by hand, not after each background refresh.
 */
export function LoadFailure({ title, error, onRetry, height = 0 }: Props) {
  const text = useText();
  const explain = useExplain();
  const show = useShowUnder();
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a background refresh brings a new error, and tells nothing new
  useEffect(() => show(title, error), [tries]);
  async function retry() {
    await onRetry();
    setTries((count) => count + 1);
  }
  return (
    <Box mih={height}>
      <EmptyState
        icon={IconCloudOff}
        order={2}
        tone="alarm"
        title={title}
        action={
          <Button variant="default" onClick={retry}>
            {text("retry")}
          </Button>
        }
      >
        {explain(error)}
      </EmptyState>
    </Box>
  );
}
