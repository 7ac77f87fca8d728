import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { Link, useLocation } from "react-router";
import { useText } from "../app/i18n.tsx";
import { splitPath } from "../app/language.ts";
import type { TextId } from "../app/text_id.ts";
import { DialogStack } from "../ui/dialog/confirmation.tsx";
import { PageHead } from "../ui/frame/page_head.tsx";
import classes from "./staff.module.css";

const PARTS: { path: string; label: TextId }[] = [
  { path: "staff", label: "staff.nav.overview" },
  { path: "staff/users", label: "staff.nav.users" },
  { path: "staff/tickets", label: "staff.nav.tickets" },
  { path: "staff/incidents", label: "staff.nav.incidents" },
  { path: "staff/mails", label: "staff.nav.mails" },
  { path: "staff/settings", label: "staff.nav.settings" },
  { path: "staff/audit", label: "staff.nav.audit" },
];

type Props = { title: ReactNode; lead?: ReactNode; action?: ReactNode; children: ReactNode };

/** The layout of staff pages: heading, links to the others, and the password dialog for reauthentication. */
export function StaffPage({ title, lead, action, children }: Props) {
  return (
    <DialogStack>
      <PageHead title={title} action={action}>
        {lead}
      </PageHead>
      <StaffNavigation />
      <div className={classes.parts}>{children}</div>
    </DialogStack>
  );
}

function StaffNavigation() {
  const text = useText();
  const here = splitPath(useLocation().pathname).rest;
  const current = PARTS.findLast(({ path }) => here === `/${path}` || here.startsWith(`/${path}/`));
  return (
    <nav aria-label={text("staff.nav.label")} className={classes.navigation}>
      {PARTS.map((part) => (
        <Button
          key={part.path}
          component={Link}
          to={`../${part.path}`}
          size="compact-md"
          variant={part === current ? "light" : "subtle"}
          aria-current={here === `/${part.path}` ? "page" : undefined}
        >
          {text(part.label)}
        </Button>
      ))}
    </nav>
  );
}
