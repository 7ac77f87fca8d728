import "./ui/mantine_more.css";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Bell } from "./breaches/bell.tsx";
import { bellQuery } from "./breaches/queries.ts";
import { dropDrafts } from "./drafts.ts";
import { onFirstAct } from "./first_act.ts";
import { navigationOf } from "./navigation.ts";
import { instanceQuery, meQuery } from "./queries.ts";
import { useTabBadge } from "./tab_badge.ts";
import { useTermsQuestion } from "./terms_standing.ts";
import { AppFrame } from "./ui/app_frame.tsx";
import { DemoBanner } from "./ui/demo_banner.tsx";
import { fetchOverlays } from "./ui/use_overlays.ts";
import { useLogout } from "./use_logout.ts";

/** The signed-in person's frame with what it shows: name, bell, sidebar, and the way out. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { data: me } = useQuery(meQuery);
  const { data: instance } = useQuery(instanceQuery);
  const { data: news } = useQuery(bellQuery);
  const logout = useLogout();
  const asked = useTermsQuestion(me);
  useTabBadge(news?.pending ?? 0);
  const email = me?.email;
  useEffect(() => {
    // What somebody else had typed in this tab is none of this person's business.
    if (email !== undefined) dropDrafts(email);
  }, [email]);
  // What people open comes with their first act, which is mostly on the way to it.
  useEffect(() => onFirstAct(() => fetchOverlays().catch(() => undefined)), []);
  return (
    <AppFrame
      navigation={asked ? [] : navigationOf(instance, me)}
      bell={<Bell />}
      account={me ? `${me.firstName} ${me.lastName}` : ""}
      banner={<DemoBanner />}
      onLogout={logout}
    >
      {children}
    </AppFrame>
  );
}
