import { Anchor, Title } from "@mantine/core";
import { IconExternalLink } from "@tabler/icons-react";
import type { Traces } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Day } from "../ui/display/dates.tsx";
import { ShowAll, useFirst } from "./show_all.tsx";
import classes from "./traces.module.css";

/** How Have I Been Pwned names a paste outside of the known sites, whose link says where it is. */
const NO_SITE = "AdHocUrl";

type Paste = NonNullable<Traces["pastes"]>[number];

export function Pastes({ pastes }: { pastes: Paste[] }) {
  const text = useText();
  const { first, hidden, showAll } = useFirst(pastes);
  return (
    <section>
      <Title order={3} size="h5">
        {text("traces.pastes")}
      </Title>
      <ul className={classes.list}>
        {first.map((paste, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pastes have no other identity than their position
          <li key={place}>
            <PasteRow paste={paste} />
          </li>
        ))}
      </ul>
      <ShowAll hidden={hidden} total={pastes.length} onShow={showAll} />
    </section>
  );
}

function PasteRow({ paste: { source, url, title, date, addresses } }: { paste: Paste }) {
  const text = useText();
  return (
    <>
      <div>{title ?? text("traces.untitled")}</div>
      <div className={classes.soft}>
        {source !== NO_SITE && `${source} · `}
        <Day iso={date} /> · {text("traces.addresses", { count: addresses })}
      </div>
      {url !== null && (
        <Anchor
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
          size="sm"
          underline="always"
          className={classes.outside}
        >
          {text("traces.open", { host: new URL(url).host })}
          <IconExternalLink size={15} aria-hidden="true" />
        </Anchor>
      )}
    </>
  );
}
