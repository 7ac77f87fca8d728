import "./ui/mantine_more.css";
import { useMutation, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useNavigate, useParams } from "react-router";
import { api } from "./api.ts";
import { Bell } from "./breaches/bell.tsx";
import { useShowError } from "./errors.tsx";
import { navigationOf } from "./navigation.ts";
import { instanceQuery, meQuery } from "./queries.ts";
import { announceSession, noteLogout } from "./session.ts";
import { AppFrame } from "./ui/app_frame.tsx";
import { DemoBanner } from "./ui/demo_banner.tsx";

/** The signed-in person's frame with what it shows: name, bell, sidebar, and the way out. */
export function SignedInFrame({ children }: { children: ReactNode }) {
  const { data: me } = useQuery(meQuery);
  const { data: instance } = useQuery(instanceQuery);
  const logout = useLogout();
  return (
    <AppFrame
      navigation={navigationOf(instance)}
      bell={<Bell />}
      account={me ? `${me.firstName} ${me.lastName}` : ""}
      banner={<DemoBanner />}
      onLogout={logout}
    >
      {children}
    </AppFrame>
  );
}

function useLogout() {
  const navigate = useNavigate();
  const { lang } = useParams();
  const { mutate } = useMutation({
    mutationFn: api.logout,
    onSuccess: () => {
      noteLogout();
      announceSession();
      return navigate(`/${lang}/login`);
    },
    onError: useShowError("nav.logout"),
  });
  return () => mutate();
}
