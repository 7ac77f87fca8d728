import { useMutation } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { api } from "../api/api.ts";
import { useShowError } from "./errors.tsx";
import { announceSession, noteLogout } from "./session.ts";

/** Enough for a response that is already on its way. */
const SESSION_CHECK_DELAY_MS = 300;

/**
 * Browsers delay the response until they have processed `Clear-Site-Data`, often for seconds. If a session check finds
 * the user signed out before that, the logout does not wait any longer.
 */
function signOut(): Promise<unknown> {
  const answer = api.logout();
  const checkSession = async () => {
    await new Promise((resolve) => setTimeout(resolve, SESSION_CHECK_DELAY_MS));
    const { auth_level: level } = await api.checkAuthentication();
    return level === "unauthenticated" || answer;
  };
  return Promise.race([answer, checkSession().catch(() => answer)]);
}

/** Returns a function that logs out: the server ends the session, then this tab and the others are updated. */
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
