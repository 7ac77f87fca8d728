import { Anchor, Text as Paragraph, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import { useIntl } from "react-intl";
import type { AlertDetails, Breach } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import { SourceText } from "../shared/source_text.tsx";
import classes from "./alert_details.module.css";

/** The source's description and how reliable it is. */
export function AlertStory({ alert, breach }: { alert: AlertDetails; breach: Breach }) {
  const text = useText();
  const { locale } = useIntl();
  const { description, disclosureUrl } = alert;
  return (
    <>
      {(description !== null || disclosureUrl !== null) && (
        <section>
          {description !== null && <SourceText html={description} />}
          {description !== null && locale !== "en" && (
            <Paragraph size="sm" c="dimmed" mt={6}>
              {text("alert.original")}
            </Paragraph>
          )}
          {disclosureUrl !== null && (
            <Anchor href={disclosureUrl} target="_blank" rel="noopener noreferrer nofollow" className={classes.outside}>
              {text("alert.disclosure")}
              <IconExternalLink size={17} aria-hidden="true" />
            </Anchor>
          )}
        </section>
      )}
      <FlagNotes breach={breach} />
    </>
  );
}

/** The flags to explain; a drill has its own notice at the top. */
export function explainedFlags({ flags }: Breach) {
  return flags.filter((flag) => flag !== "drill");
}

function FlagNotes({ breach }: { breach: Breach }) {
  const text = useText();
  const flagText = useTopic("flags");
  const flags = explainedFlags(breach);
  if (flags.length === 0) return null;
  return (
    <section>
      <Title order={5} size="h4" mb={8}>
        {text("alert.flags")}
      </Title>
      <div className={classes.notes}>
        {flags.map((flag) => (
          <div key={flag} className={classes.note}>
            <strong>{flagText(`${flag}_label`, flag)}</strong>
            <p>{flagText(flag, flag)}</p>
          </div>
        ))}
      </div>
    </section>
  );
}
