import { IconClockPause } from "@tabler/icons-react";
import { Text } from "../app/i18n.tsx";
import { Moment } from "../ui/display/dates.tsx";
import { Notice } from "../ui/display/notice.tsx";

/** Says that checks are delayed, so the data may be outdated; the user need not act. */
export function StaleNotice({ since }: { since: string }) {
  return (
    <div role="status">
      <Notice icon={IconClockPause} tone="note">
        <Text id="stale.notice" values={{ since: <Moment iso={since} /> }} />
      </Notice>
    </div>
  );
}
