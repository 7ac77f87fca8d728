import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Card } from "../ui/card.tsx";
import { type Fetch, Fetched } from "../ui/fetched.tsx";
import classes from "./section.module.css";

type HeadProps = { id: string; title: string; count: number | undefined };

/** The heading of a section, with how much is in it; what jumps to the section comes here. */
export function SectionTitle({ id, title, count }: HeadProps) {
  return (
    <Title order={2} id={id} tabIndex={-1} className={classes.title}>
      {title} {count !== undefined && <span className={classes.count}>{count}</span>}
    </Title>
  );
}

type Props<Value> = Omit<HeadProps, "count"> & {
  query: Fetch<Value>;
  count: (value: Value) => number;
  empty: string;
  failureTitle: string;
  children: (value: Value) => ReactNode;
};

/** A list of the dashboard that is fetched, fails and is empty by itself. */
export function Section<Value>({ id, title, query, count, empty, failureTitle, children }: Props<Value>) {
  return (
    <section aria-labelledby={id} className={classes.section}>
      <SectionTitle id={id} title={title} count={query.data && count(query.data)} />
      <Card>
        <Fetched query={query} failureTitle={failureTitle} height={56}>
          {(value) => (count(value) === 0 ? <Text c="dimmed">{empty}</Text> : children(value))}
        </Fetched>
      </Card>
    </section>
  );
}
