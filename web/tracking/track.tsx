import { Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import type { Me, Profile } from "../api.ts";
import { useText } from "../i18n.tsx";
import { meQuery, profileQuery } from "../queries.ts";
import { Card } from "../ui/card.tsx";
import { PageHead } from "../ui/page_head.tsx";
import { associationsQuery, useTrack } from "./queries.ts";
import classes from "./track_form.module.css";
import { TrackForm } from "./track_form.tsx";

export default function Track() {
  const text = useText();
  const navigate = useNavigate();
  const { lang } = useParams();
  const me = useQuery(meQuery);
  const profile = useQuery(profileQuery);
  const tracked = useQuery(associationsQuery({ search: "", status: "all", page: 1 }));
  const { send, refresh } = useTrack();
  // What can be filled in is known before the form appears; without it the form starts empty.
  const ready = !me.isPending && !profile.isPending && !tracked.isPending;
  const isFirst = tracked.data?.capacity.used === 0;
  return (
    <>
      <PageHead title={text("track.title")}>{text("track.lead")}</PageHead>
      <Card className={classes.card}>
        {ready ? (
          <TrackForm
            ownEmail={me.data?.email ?? ""}
            emails={contactsOf(me.data, profile.data)}
            isFirst={isFirst}
            language={me.data?.language}
            send={send}
            onDone={({ address }) => {
              toast.success(text("track.done", { address }));
              void refresh();
              navigate(`/${lang}/dashboard`);
            }}
          />
        ) : (
          <Skeleton height={420} radius="lg" />
        )}
      </Card>
    </>
  );
}

/** The account's default contacts, else its own email. */
function contactsOf(me: Me | undefined, profile: Profile | undefined): string[] {
  const chosen = profile?.defaultContacts.email ?? [];
  if (chosen.length > 0 || me === undefined) return chosen;
  return [me.email];
}
