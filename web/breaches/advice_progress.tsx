import "@mantine/core/styles/Progress.layer.css";
import { Progress, Text } from "@mantine/core";
import type { Monitoring } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";

/** How many of the steps advised for an address's breaches are done. */
export function AdviceProgress({ progress }: { progress: NonNullable<Monitoring["progress"]> }) {
  const text = useText();
  const { done, advised } = progress;
  if (advised === 0) return null;
  return (
    <div>
      <Text size="sm" c="dimmed" mb={4}>
        {done === advised ? text("progress.all", { advised }) : text("progress.done", { done, advised })}
      </Text>
      <Progress value={Math.round((100 * done) / advised)} size="sm" aria-label={text("progress.label")} />
    </div>
  );
}
