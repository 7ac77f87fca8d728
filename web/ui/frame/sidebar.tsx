import { UnstyledButton } from "@mantine/core";
import {
  type Icon,
  IconExternalLink,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
} from "@tabler/icons-react";
import { Link, useLocation } from "react-router";
import { useText } from "../../app/i18n.tsx";
import { splitPath } from "../../app/language.ts";
import type { ShownEntry } from "../../app/navigation.ts";
import { useTip } from "../dialog/use_tip.ts";
import classes from "./sidebar.module.css";

type Props = {
  navigation: ShownEntry[];
  onLogout: () => void;
  /** Called when an entry is followed. */
  onChoose?: () => void;
  /** Shows icons only, with the labels as tooltips. */
  narrow?: boolean;
  /** Set where the sidebar can be collapsed. */
  onToggle?: () => void;
};

/** The main navigation, with the logout. */
export function Sidebar({ navigation, onLogout, onChoose = () => undefined, narrow = false, onToggle }: Props) {
  const text = useText();
  const { tip, watch } = useTip(narrow);
  return (
    <div className={classes.entries} data-narrow={narrow || undefined} {...watch}>
      {navigation.map((entry) => (
        <Entry key={entry.path} entry={entry} onChoose={onChoose} />
      ))}
      <UnstyledButton onClick={onLogout} {...look(IconLogout, text("nav.logout"))} />
      {onToggle && (
        <UnstyledButton
          aria-expanded={!narrow}
          onClick={onToggle}
          data-toggle
          {...(narrow
            ? look(IconLayoutSidebarLeftExpand, text("frame.expand"))
            : look(IconLayoutSidebarLeftCollapse, text("frame.collapse")))}
        />
      )}
      {tip && (
        <span className={classes.tip} style={{ top: tip.top }} aria-hidden="true">
          {tip.label}
        </span>
      )}
    </div>
  );
}

/** The props of every entry. */
function look(Mark: Icon, label: string) {
  return {
    className: classes.entry ?? "",
    "data-tip": label,
    children: (
      <>
        <Mark size={20} stroke={1.75} aria-hidden="true" />
        <span className={classes.label}>{label}</span>
      </>
    ),
  };
}

function Entry({ entry, onChoose }: { entry: ShownEntry; onChoose: () => void }) {
  const text = useText();
  const { path, url, icon, label } = entry;
  const isHere = splitPath(useLocation().pathname).rest === `/${path}`;
  const { children, ...shared } = look(icon, text(label));
  if (url !== null)
    return (
      <UnstyledButton component="a" href={url} target="_blank" rel="noopener noreferrer" onClick={onChoose} {...shared}>
        {children}
        <IconExternalLink size={16} stroke={1.75} aria-hidden="true" className={classes.external} />
      </UnstyledButton>
    );
  return (
    <UnstyledButton
      component={Link}
      to={path}
      aria-current={isHere ? "page" : undefined}
      onClick={onChoose}
      {...shared}
    >
      {children}
    </UnstyledButton>
  );
}
