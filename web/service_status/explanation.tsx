import { Anchor, Title } from "@mantine/core";
import { useParams } from "react-router";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import classes from "./service_status.module.css";

const HOW = ["how_time", "how_rate", "how_privacy", "how_minutes"] as const;

/** What the figures mean and exclude, and where else they are available. */
export function Explanation() {
  const text = useText();
  const { lang } = useParams();
  return (
    <section aria-labelledby="how">
      <Title order={2} size="h3" id="how" mb="sm">
        {text("service_status.how")}
      </Title>
      <Card className={classes.how}>
        {HOW.map((key) => (
          <p key={key}>{text(`service_status.${key}`)}</p>
        ))}
        <p className={classes.links}>
          <Anchor href={`/service-status.atom?language=${lang}`} underline="always">
            {text("service_status.feed")}
          </Anchor>
          <Anchor href="/api/service-status" underline="always">
            {text("service_status.data")}
          </Anchor>
        </p>
      </Card>
    </section>
  );
}
