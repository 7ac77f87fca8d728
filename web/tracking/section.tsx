import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Card } from "../ui/display/card.tsx";
import classes from "./section.module.css";

type HeadProps = { id: string; title: string; count: number };

/** The heading of a section, with the number of its entries. */
export function SectionTitle({ id, title, count }: HeadProps) {
  return (
    <Title order={2} size="h3" id={id} className={classes.title}>
      {title} <span className={classes.count}>{count}</span>
    </Title>
  );
}

type Props = HeadProps & { empty: string; children: ReactNode };

/** A list of the dashboard, or one line while it is empty. */
export function Section({ id, title, count, empty, children }: Props) {
  return (
    <section aria-labelledby={id} className={classes.section}>
      <SectionTitle id={id} title={title} count={count} />
      {count === 0 ? <Text c="dimmed">{empty}</Text> : <Card>{children}</Card>}
    </section>
  );
}
