import { Title } from "@mantine/core";
import { type ReactNode, useId } from "react";
import { Card } from "../ui/display/card.tsx";
import { Fact } from "../ui/display/fact.tsx";
import classes from "./staff.module.css";

type Props = { title: string; action?: ReactNode; children: ReactNode };

/** A section of a staff page. */
export function Part({ title, action, children }: Props) {
  const id = useId();
  return (
    <section aria-labelledby={id}>
      <Card className={classes.card}>
        <div className={classes.head}>
          <Title order={2} size="h3" id={id}>
            {title}
          </Title>
          {action}
        </div>
        {children}
      </Card>
    </section>
  );
}

/** A list of names and values. */
export function Facts({ facts }: { facts: [name: string, value: ReactNode][] }) {
  return (
    <dl className={classes.facts}>
      {facts.map(([name, value]) => (
        <Fact key={name} label={name}>
          {value}
        </Fact>
      ))}
    </dl>
  );
}
