import { NavLink } from "@mantine/core";
import {
  IconExternalLink,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconLogout,
} from "@tabler/icons-react";
import { Link, useLocation, useParams } from "react-router";
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
  const toggle = text(narrow ? "frame.expand" : "frame.collapse");
  const Mark = narrow ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const look = (label: string) => ({ label, className: classes.entry, "data-tip": label });
  return (
    <div className={classes.entries} data-narrow={narrow || undefined} {...watch}>
      {navigation.map((entry) => (
        <Entry key={entry.path} entry={entry} look={look(text(entry.label))} onChoose={onChoose} />
      ))}
      <NavLink
        component="button"
        leftSection={<IconLogout size={20} stroke={1.75} aria-hidden="true" />}
        onClick={onLogout}
        {...look(text("nav.logout"))}
      />
      {onToggle && (
        <NavLink
          component="button"
          type="button"
          aria-expanded={!narrow}
          leftSection={<Mark size={20} stroke={1.75} aria-hidden="true" />}
          onClick={onToggle}
          data-toggle
          {...look(toggle)}
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

type EntryProps = {
  entry: ShownEntry;
  look: { label: string; className: string | undefined };
  onChoose: () => void;
};

function Entry({ entry: { path, url, icon: Mark }, look, onChoose }: EntryProps) {
  const { lang } = useParams();
  const isHere = splitPath(useLocation().pathname).rest === `/${path}`;
  const icon = <Mark size={20} stroke={1.75} aria-hidden="true" />;
  if (url !== null)
    return (
      <NavLink
        href={url}
        target="_blank"
        rel="noopener noreferrer"
        leftSection={icon}
        rightSection={<IconExternalLink size={16} stroke={1.75} aria-hidden="true" />}
        onClick={onChoose}
        {...look}
      />
    );
  return (
    <NavLink
      component={Link}
      to={`/${lang}/${path}`}
      active={isHere}
      aria-current={isHere ? "page" : undefined}
      leftSection={icon}
      onClick={onChoose}
      {...look}
    />
  );
}
