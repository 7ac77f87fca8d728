import { Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import classes from "./page_head.module.css";

type Props = { title: ReactNode; children?: ReactNode; action?: ReactNode };

/** The heading of a page, focused after a navigation, with a sentence and the page's main action. */
export function PageHead({ title, children, action }: Props) {
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <Title order={1} tabIndex={-1}>
          {title}
        </Title>
        {children && (
          <Text c="dimmed" mt={6} component="div">
            {children}
          </Text>
        )}
      </div>
      {action}
    </div>
  );
}
