import { useEffect, useState } from "react";
import { useLocation } from "react-router";

/** Without a code: somebody said no at the provider. */
export type ProviderAnswer = { state: string; code?: string };

/** What a provider sent along; undefined when nothing did. */
export function answerOf(search: string): ProviderAnswer | undefined {
  const params = new URLSearchParams(search);
  const [code, state] = [params.get("code"), params.get("state")];
  return state ? { state, ...(code && { code }) } : undefined;
}

/** The provider's answer to this page. It leaves the address bar at once, so that it is not copied or bookmarked. */
export function useProviderAnswer(): ProviderAnswer | undefined {
  const arrival = useLocation();
  const [answer] = useState(() => answerOf(arrival.search));
  // Again after each navigation: the language picker keeps the query.
  useEffect(() => {
    if (location.search !== "") history.replaceState(history.state, "", arrival.pathname);
  }, [arrival]);
  return answer;
}
