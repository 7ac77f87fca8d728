import { Button } from "@mantine/core";
import { IconCopy } from "@tabler/icons-react";
import { toast } from "sonner";
import { useText } from "../app/i18n.tsx";
import { copyText } from "../ui/clipboard.ts";
import classes from "./developers.module.css";
import type { Sample } from "./document.ts";

/** Code samples that run unchanged, with a button to copy them. */
export function Samples({ samples }: { samples: Sample[] }) {
  const text = useText();
  const copy = (source: string) =>
    copyText(source).then(
      () => toast.success(text("developers.copied")),
      () => toast.error(text("developers.copy_failed")),
    );
  return samples.map(({ label, source }) => (
    <div key={label} className={classes.sample}>
      <div className={classes.sampleHead}>
        <span lang="en">{label}</span>
        <Button
          variant="default"
          size="xs"
          leftSection={<IconCopy size={16} aria-hidden="true" />}
          aria-label={text("developers.copy_label", { language: label })}
          onClick={() => copy(source)}
        >
          {text("developers.copy")}
        </Button>
      </div>
      {/* A scrollable region has to be reachable by keyboard. */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls */}
      <section aria-label={label} tabIndex={0} className={classes.code}>
        <pre lang="en">
          <code>{source}</code>
        </pre>
      </section>
    </div>
  ));
}
