import { IconChevronRight } from "@tabler/icons-react";
import { Link, useMatches } from "react-router";
import { useText } from "../../app/i18n.tsx";
import type { Handle } from "../../app/route_handle.ts";
import classes from "./breadcrumbs.module.css";

/** The path to a page that is not in the sidebar. */
export function Breadcrumbs() {
  const text = useText();
  const { trail = [], title } = (useMatches().at(-1)?.handle ?? {}) as Partial<Handle>;
  if (trail.length === 0 || title === undefined) return null;
  return (
    <nav aria-label={text("frame.trail")} className={classes.trail}>
      <ol>
        {trail.map((above) => (
          <li key={above.path}>
            <Link to={above.path}>{text(above.title)}</Link>
            <IconChevronRight size={16} aria-hidden="true" />
          </li>
        ))}
        <li aria-current="page">{text(title)}</li>
      </ol>
    </nav>
  );
}
