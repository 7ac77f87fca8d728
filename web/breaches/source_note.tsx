import { Anchor } from "@mantine/core";
import { HIBP_URL } from "../../src/shared/product.ts";
import { Text } from "../i18n.tsx";
import classes from "./source_note.module.css";

/** Stands wherever the source's data is shown. */
export function SourceNote() {
  return (
    <p className={classes.source}>
      <Text
        id="alerts.source"
        values={{
          link: (parts) => (
            <Anchor key="link" href={HIBP_URL} target="_blank" rel="noopener noreferrer" inherit underline="always">
              {parts}
            </Anchor>
          ),
        }}
      />
    </p>
  );
}
