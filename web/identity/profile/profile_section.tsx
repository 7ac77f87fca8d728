import { Text, Title } from "@mantine/core";
import type { Icon } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Card } from "../../ui/display/card.tsx";
import classes from "./profile.module.css";

type SectionProps = { id: string; title: string; lead?: string; action?: ReactNode; children: ReactNode };

/** A section of the profile; focusable, for when the focused element inside it is removed. */
export function ProfileSection({ id, title, lead, action, children }: SectionProps) {
  return (
    <section aria-labelledby={id}>
      <Card>
        <div className={classes.head}>
          <Title order={2} id={id} tabIndex={-1}>
            {title}
          </Title>
          {action}
        </div>
        {lead && (
          <Text c="dimmed" size="sm" className={classes.lead}>
            {lead}
          </Text>
        )}
        {children}
      </Card>
    </section>
  );
}

/** Moves the focus to the section when the clicked button has been removed with its row. */
export function focusSection(id: string): void {
  document.getElementById(id)?.focus();
}

type RowProps = {
  icon: Icon;
  title: string;
  /** A description or the current state. */
  children: ReactNode;
  action?: ReactNode;
  below?: ReactNode;
};

/** A row of a section with its actions. */
export function ProfileRow({ icon: Mark, title, children, action, below }: RowProps) {
  return (
    <div className={classes.row}>
      <Mark size={22} stroke={1.75} aria-hidden="true" className={classes.mark} />
      <div className={classes.words}>
        <Title order={3}>{title}</Title>
        <Text c="dimmed" size="sm" component="div">
          {children}
        </Text>
      </div>
      {action && <div className={classes.action}>{action}</div>}
      {below && <div className={classes.below}>{below}</div>}
    </div>
  );
}
