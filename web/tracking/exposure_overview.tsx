import { Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { figuresQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { ExposureFigures, FEWEST_BREACHES } from "../shared/exposure_figures.tsx";
import { Card } from "../ui/display/card.tsx";
import classes from "./exposure_overview.module.css";

/** The combined figures of all breaches of the account's addresses, collapsed to one line. */
export function ExposureOverview() {
  const text = useText();
  const { data } = useQuery(figuresQuery);
  // A failure is shown by the lists on the same page.
  if (!data || data.breaches < FEWEST_BREACHES) return null;
  const { breaches: count, open, undisclosed } = data;
  return (
    <Card>
      <details className={classes.overview}>
        <summary>
          <Title order={2} size="h3">
            {text("figures.title")}
          </Title>
          <span className={classes.gist}>{text("figures.gist", { count, open })}</span>
        </summary>
        <div className={classes.content}>
          <ExposureFigures figures={data} order={3} forgets />
          {undisclosed > 0 && (
            <Text size="sm" c="dimmed">
              {text("figures.undisclosed", { count: undisclosed })}
            </Text>
          )}
        </div>
      </details>
    </Card>
  );
}
