import { Title } from "@mantine/core";
import type { ReactNode } from "react";
import { usePrinting } from "../ui/display/printing.ts";
import classes from "./fold.module.css";

type Props = { title: string; order?: 2 | 4; children: ReactNode };

/** A collapsible section; expanded in print. */
export function Fold({ title, order = 4, children }: Props) {
  const heading = (
    <Title order={order} size="h4">
      {title}
    </Title>
  );
  if (usePrinting()) {
    return (
      <section>
        {heading}
        <div className={classes.body}>{children}</div>
      </section>
    );
  }
  return (
    <details className={classes.fold}>
      <summary>{heading}</summary>
      <div className={classes.body}>{children}</div>
    </details>
  );
}
