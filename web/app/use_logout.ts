import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "react-router";
import { get, post } from "../api/call.ts";
import { instanceQuery } from "../api/queries.ts";
import { providerUrl } from "../shared/provider_url.ts";
import { useShowError } from "./errors.tsx";
import { announceSession, noteLogout } from "./session.ts";

/** Enough for a response that is already on its way. */
const SESSION_CHECK_DELAY_MS = 300;

/** The session has ended, and there is no provider's session to end. */
const NOWHERE = { url: null };

/**
 * Browsers delay the response until they have processed `Clear-Site-Data`, often for seconds. If a session check finds
 * the user signed out before that, the logout does not wait any longer, unless the response may name a provider's page
 * that has to be opened.
 */
function signOut(isSingle: boolean): Promise<{ url: string | null }> {
  const answer = post("/api/logout");
  if (isSingle) return answer;
  const checkSession = async () => {
    await new Promise((resolve) => setTimeout(resolve, SESSION_CHECK_DELAY_MS));
    const { auth_level: level } = await get("/api/check-user-authentication/");
    return level === "unauthenticated" ? NOWHERE : answer;
  };
  return Promise.race([answer, checkSession().catch(() => answer)]);
}

/** Returns a function that logs out: the server ends the session, then this tab and the others are updated. */
export function useLogout() {
  const navigate = useNavigate();
  const { lang } = useParams();
  const { data: instance } = useQuery(instanceQuery);
  const { mutate } = useMutation({
    mutationFn: () => signOut(instance?.providers.some(({ singleLogout }) => singleLogout) ?? false),
    onSuccess: ({ url }) => {
      noteLogout();
      announceSession("signed out");
      // Single logout: the provider's session ends, too, and leads back to the login.
      if (url !== null) return location.assign(providerUrl(url));
      return navigate(`/${lang}/login`);
    },
    onError: useShowError("nav.logout"),
  });
  return () => mutate();
}
