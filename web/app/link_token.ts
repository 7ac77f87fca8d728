import { useEffect, useState } from "react";
import { useLocation } from "react-router";

/** The token of a link's fragment, `#t=<token>`; undefined when there is none. */
export function tokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("t") || undefined;
}

/** The token of the link that led here. It leaves the address bar, so that it is not copied, bookmarked or seen. */
export function useLinkToken(): string | undefined {
  const arrival = useLocation();
  const [token, setToken] = useState(() => tokenOf(arrival.hash));
  // Again after each navigation: another link may be opened in the same window, and the language picker keeps the fragment.
  useEffect(() => {
    const { hash, pathname, search } = arrival;
    if (location.hash === "") return;
    setToken(tokenOf(hash));
    history.replaceState(history.state, "", pathname + search);
  }, [arrival]);
  return token;
}
