import { Text as Paragraph, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { drillQuery } from "./drill_queries.ts";
import { DrillStart } from "./drill_start.tsx";
import { DrillWay } from "./drill_way.tsx";
import classes from "./fire_drill.module.css";

/** A fire drill: a made-up breach that passes through all stages from detection to handling, and is then deleted. */
export function FireDrill() {
  const text = useText();
  const query = useQuery(drillQuery);
  const title = useRef<HTMLHeadingElement>(null);
  // Moves the focus to the title, as the clicked button is removed when a drill starts or ends.
  const toTitle = () => title.current?.focus();
  return (
    <section aria-labelledby="fire-drill">
      <Card className={classes.drill}>
        <div>
          <Title order={2} id="fire-drill" ref={title} tabIndex={-1} className={classes.title}>
            {text("drill.title")}
          </Title>
          <Paragraph c="dimmed" mt={4}>
            {text("drill.lead")}
          </Paragraph>
        </div>
        <Fetched query={query} failureTitle={text("drill.load_failed")} height={180}>
          {({ drill }) => (drill ? <DrillWay drill={drill} onEnded={toTitle} /> : <DrillStart onStarted={toTitle} />)}
        </Fetched>
      </Card>
    </section>
  );
}
