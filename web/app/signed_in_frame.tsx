import "../styles/mantine_more.css";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { instanceQuery, meQuery } from "../api/queries.ts";
import { Bell } from "../breaches/bell.tsx";
import { bellQuery } from "../breaches/queries.ts";
import { dropDrafts } from "../forms/drafts.ts";
import { fetchOverlays } from "../ui/dialog/use_overlays.ts";
import { AppFrame } from "../ui/frame/app_frame.tsx";
import { DemoBanner } from "../ui/frame/demo_banner.tsx";
import { onFirstInteraction } from "./first_interaction.ts";
import { navigationOf } from "./navigation.ts";
import { useTabBadge } from "./tab_badge.ts";
import { useTermsQuestion } from "./terms_status.ts";
import { useLogout } from "./use_logout.ts";

/** The frame of signed-in users: name, notifications, sidebar and logout. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { data: me } = useQuery(meQuery);
  const { data: instance } = useQuery(instanceQuery);
  const { data: news } = useQuery(bellQuery);
  const logout = useLogout();
  const asked = useTermsQuestion(me);
  useTabBadge(news?.pending ?? 0);
  const email = me?.email;
  useEffect(() => {
    // Removes drafts that another account left in this tab.
    if (email !== undefined) dropDrafts(email);
  }, [email]);
  // Preloads dialogs and drawers on the first interaction, before they are opened.
  useEffect(() => onFirstInteraction(() => fetchOverlays().catch(() => undefined)), []);
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
