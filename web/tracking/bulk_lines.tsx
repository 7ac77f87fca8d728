import { Button, Group, Text, Title } from "@mantine/core";
import { IconAlertTriangle, IconCircleCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { BulkPreview } from "../api/api.ts";
import { useErrorText, useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Notice } from "../ui/display/notice.tsx";
import classes from "./bulk.module.css";

/** The server's verdict on each line of the list. */
export function BulkLines({ preview, onBack }: { preview: BulkPreview; onBack: () => void }) {
  const text = useText();
  const good = preview.lines.filter(({ problem }) => problem === null);
  const bad = preview.lines.filter(({ problem }) => problem !== null);
  return (
    <div className={classes.preview}>
      <Group justify="space-between" gap="sm">
        <Title order={2}>{text("bulk.preview")}</Title>
        <Button variant="default" onClick={onBack}>
          {text("bulk.change")}
        </Button>
      </Group>
      <div role="status" className={classes.results}>
        <Notice icon={IconCircleCheck} tone={good.length > 0 ? "safe" : "quiet"}>
          {text("bulk.good", { count: good.length })}
        </Notice>
        {bad.length > 0 && (
          <Notice icon={IconAlertTriangle} tone="note">
            {text("bulk.bad", { count: bad.length })}
          </Notice>
        )}
      </div>
      {bad.length > 0 && (
        <Lines label={text("bulk.bad_list")}>
          {bad.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line may have the same text twice, and the list never changes
            <BadLine key={index} {...line} />
          ))}
        </Lines>
      )}
      {good.length > 0 && (
        <details>
          <summary>{text("bulk.show_good")}</summary>
          <Lines label={text("bulk.show_good")}>
            {good.map(({ address }) => (
              <li key={address}>
                <Address>{address ?? ""}</Address>
              </li>
            ))}
          </Lines>
        </details>
      )}
      {good.length === 0 && <Text>{text("bulk.none_good")}</Text>}
    </div>
  );
}

function BadLine({ line, text: typed, problem }: BulkPreview["lines"][number]) {
  const text = useText();
  const errorText = useErrorText();
  return (
    <li>
      <span className={classes.line}>{text("bulk.line", { line })}</span>
      <Address>{typed}</Address>
      <span className={classes.reason}>{problem && errorText(problem)}</span>
    </li>
  );
}

function Lines({ label, children }: { label: string; children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrollable region has to be reachable by keyboard
    <section className={classes.lines} aria-label={label} tabIndex={0}>
      <ul>{children}</ul>
    </section>
  );
}
