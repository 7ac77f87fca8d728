import { Anchor } from "@mantine/core";
import { IconCalendarEvent, IconInfoCircle, IconTool } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useIntl } from "react-intl";
import { Link } from "react-router";
import { instanceQuery } from "../../api/queries.ts";
import type { ServiceNotice as NoticeData } from "../../api/service_api.ts";
import { useText } from "../../app/i18n.tsx";
import { useFormatDate } from "../display/format_date.ts";
import { Notice } from "../display/notice.tsx";
import { Words } from "../display/words.tsx";
import classes from "./service_notice.module.css";

const LOOKS = { incident: IconInfoCircle, running: IconTool, planned: IconCalendarEvent } as const;

/** The operator's notice about an incident or maintenance. */
export function ServiceNotice({ notice: { kind, title, state, startsAt, endsAt, id } }: { notice: NoticeData }) {
  const text = useText();
  const { formatDateTimeRange } = useIntl();
  const formatDate = useFormatDate();
  const { data: instance } = useQuery(instanceQuery);
  const look = kind === "incident" ? "incident" : state === "planned" ? "planned" : "running";
  const style = { dateStyle: "medium", timeStyle: "short" } as const;
  const when =
    endsAt === null ? formatDate(startsAt, style) : formatDateTimeRange(new Date(startsAt), new Date(endsAt), style);
  const outside = instance?.statusPageUrl;
  return (
    <aside className={classes.notice} aria-label={text("service_notice.label")}>
      <Notice icon={LOOKS[look]} tone="note">
        <strong>{text(`service_notice.${look}`)}</strong> · {when}
        <br />
        <Words of={title} />{" "}
        {outside ? (
          <Anchor href={outside} target="_blank" rel="noopener noreferrer" underline="always" c="inherit">
            {text("service_notice.details")}
          </Anchor>
        ) : (
          <Anchor component={Link} to={`service-status#incident-${id}`} underline="always" c="inherit">
            {text("service_notice.details")}
          </Anchor>
        )}
      </Notice>
    </aside>
  );
}
