import { Text } from "@mantine/core";
import { IconFlame } from "@tabler/icons-react";
import { isDrill } from "../../src/shared/breach.ts";
import type { Breach } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";

/** Says first that the breach is a drill and that nothing was stolen. */
export function DrillNotice({ breach }: { breach: Breach }) {
  const flagText = useTopic("flags");
  if (!isDrill(breach)) return null;
  return (
    <Notice icon={IconFlame} tone="note">
      <strong>{flagText("drill_label", "")}</strong>
      <Text inherit>{flagText("drill", "")}</Text>
    </Notice>
  );
}

/** Repeats it above the advice. */
export function DrillAdviceNotice({ breach }: { breach: Breach }) {
  const text = useText();
  if (!isDrill(breach)) return null;
  return (
    <Notice icon={IconFlame} tone="note">
      {text("alert.drill_advice")}
    </Notice>
  );
}
