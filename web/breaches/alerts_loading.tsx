import { Skeleton } from "@mantine/core";
import { Card } from "../ui/display/card.tsx";
import classes from "./alerts_loading.module.css";

const ROWS = ["a", "b", "c", "d", "e", "f"];
const CARDS = ROWS.slice(0, 3);

/** A placeholder for the list while it loads. */
export function AlertsLoading({ isWide }: { isWide: boolean }) {
  if (!isWide) {
    return (
      <div className={classes.cards}>
        {CARDS.map((name) => (
          <Card key={name}>
            <Head />
            <Skeleton height={14} width="70%" mt={20} />
            <Skeleton height={14} width="45%" mt={10} />
            <Skeleton height={36} width={170} mt={20} radius="md" />
          </Card>
        ))}
      </div>
    );
  }
  return (
    <Card>
      {ROWS.map((name) => (
        <div key={name} className={classes.row}>
          <Head />
          <Skeleton height={14} width="80%" />
          <Skeleton height={14} width="70%" />
          <Skeleton height={24} width="85%" radius="md" />
          <Skeleton height={24} width={80} radius="xl" />
        </div>
      ))}
    </Card>
  );
}

function Head() {
  return (
    <div className={classes.head}>
      <Skeleton height={36} width={36} radius="md" />
      <div>
        <Skeleton height={14} width="75%" />
        <Skeleton height={12} width="50%" mt={8} />
      </div>
    </div>
  );
}
