import { useText } from "../app/i18n.tsx";
import { Badge } from "../ui/display/badge.tsx";
import classes from "./staff.module.css";

type Props = { account: { verified: boolean; lockedAt: string | null; staff: boolean } };

/** Badges for an unverified, locked or staff account. */
export function AccountBadges({ account: { verified, lockedAt, staff } }: Props) {
  const text = useText();
  return (
    <div className={classes.badges}>
      {staff && <Badge tone="accent">{text("staff.account.staff")}</Badge>}
      {lockedAt !== null && <Badge tone="alarm">{text("staff.account.locked")}</Badge>}
      {!verified && <Badge tone="note">{text("staff.account.unverified")}</Badge>}
    </div>
  );
}
