import { Text } from "@mantine/core";
import { Fragment, type ReactNode, useId } from "react";
import { useText } from "../app/i18n.tsx";
import type { TextId } from "../app/text_id.ts";
import { Badge, type Tone } from "../ui/display/badge.tsx";
import { Ago } from "../ui/display/dates.tsx";
import classes from "./staff.module.css";

type RowsProps = { children: ReactNode[]; empty: TextId /** They may stand beside each other. */; many?: boolean };

/** A list of rows, or the text that there are none. */
export function Rows({ children, empty, many = false }: RowsProps) {
  const text = useText();
  if (children.flat().length === 0) return <Text c="dimmed">{text(empty)}</Text>;
  return <ul className={`${classes.rows} ${many ? classes.many : ""}`}>{children}</ul>;
}

type RowProps = {
  icon?: ReactNode;
  name: string;
  tone?: Tone;
  state?: string;
  facts: ReactNode[];
  children?: ReactNode;
};

/** A row with name, facts and optional state. */
export function Row({ icon, name, tone = "quiet", state, facts, children }: RowProps) {
  const id = useId();
  return (
    <li className={classes.row} aria-labelledby={id}>
      {icon}
      <div className={classes.main}>
        <div id={id}>{name}</div>
        <div className={classes.small}>
          {facts.filter(Boolean).map((fact, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: facts have no other identity than their position
            <Fragment key={place}>
              {place > 0 && " · "}
              {fact}
            </Fragment>
          ))}
        </div>
      </div>
      {state !== undefined && <Badge tone={tone}>{state}</Badge>}
      {children && <div className={classes.below}>{children}</div>}
    </li>
  );
}

/** Says how long ago something happened, or when it will. */
export function Told({ what, iso }: { what: TextId; iso: string }) {
  const text = useText();
  return (
    <>
      {text(what)} <Ago iso={iso} />
    </>
  );
}
