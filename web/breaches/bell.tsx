import { ActionIcon } from "@mantine/core";
import { useClickOutside, useDisclosure, useFocusWithin, useMergedRef, useWindowEvent } from "@mantine/hooks";
import { IconBell } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId, useRef } from "react";
import { useText } from "../app/i18n.tsx";
import classes from "./bell.module.css";
import { BellFailure, BellPanel } from "./bell_panel.tsx";
import { bellQuery } from "./queries.ts";

/** The notification button of the header: how many alerts are new, the latest ten, and a link to all. */
export function Bell() {
  const { data, isError } = useQuery(bellQuery);
  const text = useText();
  const panelId = useId();
  const [opened, { toggle, close }] = useDisclosure();
  const button = useRef<HTMLButtonElement>(null);
  const outside = useClickOutside<HTMLDivElement>(close);
  const { ref: within } = useFocusWithin<HTMLDivElement>({ onBlur: close });
  const area = useMergedRef(outside, within);
  const fresh = data?.fresh ?? 0;
  useWindowEvent("keydown", ({ key }) => {
    if (key !== "Escape" || !opened) return;
    close();
    button.current?.focus();
  });
  return (
    // A plain disclosure, as menus and popovers of the component library would be a large chunk.
    <div ref={area} className={classes.area}>
      <ActionIcon
        ref={button}
        variant="subtle"
        color="gray"
        size="lg"
        className={classes.bell}
        aria-label={text("bell.label", { count: fresh })}
        aria-expanded={opened}
        aria-controls={panelId}
        onClick={toggle}
      >
        <IconBell size={22} stroke={1.75} aria-hidden="true" />
        {fresh > 0 && (
          <span className={classes.count} aria-hidden="true">
            {fresh > 99 ? "99+" : fresh}
          </span>
        )}
      </ActionIcon>
      <div id={panelId} hidden={!opened} className={classes.panel}>
        {opened && (data ? <BellPanel news={data} onChoose={close} /> : isError && <BellFailure />)}
      </div>
    </div>
  );
}
