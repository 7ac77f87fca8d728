import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { FormattedList } from "react-intl";
import { type Credit, creditsOf, type Found } from "../../src/shared/sources.ts";
import { instanceQuery } from "../api/queries.ts";
import { TopicText } from "../app/i18n.tsx";
import classes from "./source_note.module.css";

/**
 * Credits the sources of the data in `shown`; required wherever their data appears. If nothing in it names a source,
 * credits the sources that this installation uses.
 */
export function SourceNote({ shown }: { shown: Found[] }) {
  const { data: instance } = useQuery(instanceQuery);
  const credits = creditsOf(shown, instance?.sources ?? []);
  if (credits.length === 0) return null;
  const names = credits.map((credit) => <SourceName key={credit.name ?? "own"} credit={credit} />);
  return (
    <p className={classes.source}>
      <TopicText topic="sources" id="credit" values={{ sources: <FormattedList type="unit" value={names} /> }} />
    </p>
  );
}

function SourceName({ credit: { name, url, licence } }: { credit: Credit }) {
  if (!url) return <TopicText topic="sources" id="own_list" />;
  return (
    <>
      <Outside href={url}>{name}</Outside>
      {licence && (
        <>
          {" ("}
          <Outside href={licence.url}>{licence.name}</Outside>)
        </>
      )}
    </>
  );
}

function Outside({ href, children }: { href: string; children: ReactNode }) {
  return (
    <Anchor href={href} target="_blank" rel="noopener noreferrer" inherit underline="always">
      {children}
    </Anchor>
  );
}
