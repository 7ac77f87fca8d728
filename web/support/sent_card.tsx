import { Button, Title } from "@mantine/core";
import { IconCircleCheck } from "@tabler/icons-react";
import { useEffect, useRef } from "react";
import { Link } from "react-router";
import type { Ticket } from "../api/support_api.ts";
import { useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { CopyField } from "../ui/form/copy_field.tsx";
import classes from "./support.module.css";
import { WORDS } from "./words.ts";

type Props = { ticket: Ticket; onAnother: () => void };

/** Confirms a sent ticket and shows how to find it again. */
export function SentCard({ ticket: { kind, reference, email }, onAnother }: Props) {
  const text = useText();
  const words = WORDS[kind];
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copying = { copy: text("support.copy"), copied: text("support.copied"), failed: text("support.copy_failed") };
  return (
    <Card>
      <div className={classes.done} role="status">
        <IconCircleCheck size={36} stroke={1.75} color="var(--bb-safe-text)" aria-hidden="true" />
        <Title order={2} ref={heading} tabIndex={-1}>
          {text(words.sent)}
        </Title>
        <p>{text("support.confirmation", { email })}</p>
        <div className={classes.reference}>
          <CopyField label={text("support.reference")} value={reference} words={copying} />
        </div>
        <div className={classes.actions}>
          <Button component={Link} to={`../${words.page}?ticket=${reference}`}>
            {text("support.open")}
          </Button>
          <Button variant="default" onClick={onAnother}>
            {text(words.another)}
          </Button>
        </div>
      </div>
    </Card>
  );
}
