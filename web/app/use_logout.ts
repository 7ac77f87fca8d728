import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { api } from "../api/api.ts";
import { useShowError } from "./errors.tsx";
import { announceSession, noteLogout } from "./session.ts";

/** An answer that is only on its way is here by then. */
const PATIENCE_MS = 300;

/** Browsers hold the answer back until they have cleared what it says, often for seconds: who is out by then goes on. */
function signOut(): Promise<unknown> {
  const answer = api.logout();
  const look = async () => {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
    const { auth_level: level } = await api.checkAuthentication();
    return level === "unauthenticated" || answer;
  };
  return Promise.race([answer, look().catch(() => answer)]);
}

/** The way out: the server ends the session, then this tab and the others say so. */
export function useLogout() {
  const navigate = useNavigate();
  const { lang } = useParams();
  const { mutate } = useMutation({
    mutationFn: signOut,
    onSuccess: () => {
      noteLogout();
      announceSession("signed out");
      return navigate(`/${lang}/login`);
    },
    onError: useShowError("nav.logout"),
  });
  return () => mutate();
}
