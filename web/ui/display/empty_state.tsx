import { Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import classes from "./empty_state.module.css";
import { ToneMark } from "./tone_mark.tsx";

type Props = {
  icon: Icon;
  tone?: "accent" | "safe" | "alarm";
  title: string;
  /** The level of the heading: 2 right below the page's own. */
  order?: 2 | 3;
  children?: ReactNode;
  action?: ReactNode;
};

/** Shown instead of an empty list, with what to do about it. */
export function EmptyState({ icon, tone = "accent", title, order = 3, children, action }: Props) {
  return (
    <div className={classes.empty}>
      <ToneMark icon={icon} tone={tone} large />
      <Title order={order} size="h3">
        {title}
      </Title>
      {children && (
        <Text c="dimmed" component="div" maw={460}>
          {children}
        </Text>
      )}
      {action && <div className={classes.action}>{action}</div>}
    </div>
  );
}
