import { useEffect, useState } from "react";
import { useLocation } from "react-router";

/** Without `code`, the user declined at the provider. */
export type ProviderAnswer = { state: string; code?: string; iss?: string };

/** The provider's response in the query string; undefined if there is none. */
export function answerOf(search: string): ProviderAnswer | undefined {
  const params = new URLSearchParams(search);
  const [code, state, iss] = [params.get("code"), params.get("state"), params.get("iss")];
  return state ? { state, ...(code && { code }), ...(iss && { iss }) } : undefined;
}

/** The provider's response, removed from the address bar so that it is not copied or bookmarked. */
export function useProviderAnswer(): ProviderAnswer | undefined {
  const arrival = useLocation();
  const [answer] = useState(() => answerOf(arrival.search));
  // Runs after each navigation, as the language picker keeps the query.
  useEffect(() => {
    if (location.search !== "") history.replaceState(history.state, "", arrival.pathname);
  }, [arrival]);
  return answer;
}
