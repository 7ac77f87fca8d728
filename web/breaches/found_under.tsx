import { IconInfoCircle } from "@tabler/icons-react";
import type { FoundUnder as Found } from "../../src/shared/aliases.ts";
import { shownAddress } from "../../src/shared/shown_address.ts";
import { useText } from "../app/i18n.tsx";
import { Address } from "../ui/display/address.tsx";
import { Notice } from "../ui/display/notice.tsx";
import classes from "./found_under.module.css";

type Props = { foundUnder: Found[] };

/** How many aliases a list names; it counts the others. */
const MOST_NAMED = 3;

/** The aliases in which a breach was found, in one line; nothing if it was found under the tracked address alone. */
export function FoundUnder({ foundUnder }: Props) {
  const text = useText();
  if (foundUnder.length === 0) return null;
  const named = foundUnder.slice(0, MOST_NAMED).map(({ address }) => shownAddress(address));
  const more = foundUnder.length - named.length;
  const addresses = [...named, ...(more > 0 ? [`+${more}`] : [])].join(", ");
  return <span className={`${classes.line} breakable`}>{text("alerts.found_under", { addresses })}</span>;
}

/** All of them, as a list. */
export function FoundUnderList({ foundUnder }: Props) {
  return (
    <ul className={classes.list}>
      {foundUnder.map(({ address }) => (
        <li key={address}>
          <Address>{address}</Address>
        </li>
      ))}
    </ul>
  );
}

/** What the name of an alias tells: it was probably this service that lost the data. */
export function NamedService({ foundUnder }: Props) {
  const text = useText();
  const named = foundUnder.find(({ namesService }) => namesService);
  if (named === undefined) return null;
  return (
    <Notice icon={IconInfoCircle} tone="note">
      {text("alert.names_service", { address: named.address })}
    </Notice>
  );
}
