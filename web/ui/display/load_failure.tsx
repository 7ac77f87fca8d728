import { Button } from "@mantine/core";
import { IconCloudOff } from "@tabler/icons-react";
import { useText } from "../../app/i18n.tsx";
import { EmptyState } from "./empty_state.tsx";

type Props = { title: string; message: string; onRetry: () => void };

/** Shown instead of a list that could not be loaded. */
export function LoadFailure({ title, message, onRetry }: Props) {
  const text = useText();
  return (
    <div role="alert">
      <EmptyState
        icon={IconCloudOff}
        order={2}
        tone="alarm"
        title={title}
        action={
          <Button variant="default" onClick={onRetry}>
            {text("retry")}
          </Button>
        }
      >
        {message}
      </EmptyState>
    </div>
  );
}
