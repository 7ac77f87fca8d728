import { Button } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import type { SessionEntry } from "../../api/api.ts";
import { post, remove } from "../../api/call.ts";
import { useText } from "../../app/i18n.tsx";
import { Badge } from "../../ui/display/badge.tsx";
import { Ago, Moment } from "../../ui/display/dates.tsx";
import { Fact } from "../../ui/display/fact.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { ConfirmAccountAction, useAccountAction } from "./account_action.tsx";
import { useDeviceName } from "./device_name.ts";
import lists from "./profile_lists.module.css";
import { sessionsQuery } from "./profile_queries.ts";
import { focusSection, ProfileSection } from "./profile_section.tsx";

/** The account's active sessions. */
export function Sessions() {
  const text = useText();
  const query = useQuery(sessionsQuery);
  const [asking, setAsking] = useState(false);
  const hasOthers = query.data?.sessions.some(({ current }) => !current) ?? false;
  return (
    <ProfileSection
      id="sessions"
      title={text("sessions.title")}
      lead={text("sessions.lead")}
      action={
        hasOthers && (
          <Button variant="default" onClick={() => setAsking(true)}>
            {text("sessions.end_others")}
          </Button>
        )
      }
    >
      <Fetched query={query} failureTitle={text("profile.load_failed")} height={160}>
        {({ sessions }) => (
          <ul className={`${lists.entries} ${lists.list}`}>
            {sessions.map((session) => (
              <Entry key={session.id} session={session} />
            ))}
          </ul>
        )}
      </Fetched>
      <EndOthers opened={asking} onClose={() => setAsking(false)} />
    </ProfileSection>
  );
}

function Entry({ session }: { session: SessionEntry }) {
  const text = useText();
  const device = useDeviceName()(session);
  const { mutate, isPending } = useAccountAction({
    call: () => remove("/api/sessions/:id", { params: { id: session.id } }),
    changes: ["/api/sessions"],
    failureTitle: "sessions.end_failed",
    onDone: () => {
      toast.success(text("sessions.ended"));
      focusSection("sessions");
    },
  });
  return (
    <li className={lists.entry}>
      <div className={lists.entryWords}>
        <p className={lists.name}>
          {device}
          {session.current && <Badge tone="accent">{text("sessions.current")}</Badge>}
        </p>
        <SessionFacts session={session} />
      </div>
      {!session.current && (
        <Button
          variant="default"
          size="xs"
          loading={isPending}
          aria-label={text("sessions.end_label", { device })}
          onClick={() => mutate()}
        >
          {text("sessions.end")}
        </Button>
      )}
    </li>
  );
}

function SessionFacts({ session: { ipPrefix, createdAt, lastSeenAt } }: { session: SessionEntry }) {
  const text = useText();
  return (
    <dl className={lists.sessionFacts}>
      <Fact label={text("sessions.network")}>
        <span className="breakable">{ipPrefix}</span>
      </Fact>
      <Fact label={text("sessions.first")}>
        <Moment iso={createdAt} withTime />
      </Fact>
      <Fact label={text("sessions.last")}>
        <Ago iso={lastSeenAt} />
      </Fact>
    </dl>
  );
}

function EndOthers({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const text = useText();
  return (
    <ConfirmAccountAction
      opened={opened}
      title={text("sessions.end_others_title")}
      confirmLabel={text("sessions.end_others")}
      call={() => post("/api/sessions/end-others")}
      changes={["/api/sessions"]}
      failureTitle="sessions.end_failed"
      onDone={({ ended }) => {
        toast.success(text("sessions.ended_others", { count: ended }));
        focusSection("sessions");
      }}
      onClose={onClose}
    >
      {text("sessions.end_others_text")}
    </ConfirmAccountAction>
  );
}
