import { Button } from "@mantine/core";
import { IconPlayerPause } from "@tabler/icons-react";
import { Link } from "react-router";
import { useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";

/** What the plan does not cover, with the way to the plans. */
export function PlanLimit({ children }: { children: string }) {
  const text = useText();
  return (
    <Notice
      icon={IconPlayerPause}
      tone="alarm"
      action={
        <Button component={Link} to="../subscription" size="sm" variant="default">
          {text("domains.to_plans")}
        </Button>
      }
    >
      {children}
    </Notice>
  );
}
