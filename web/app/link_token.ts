import { useEffect, useState } from "react";
import { useLocation } from "react-router";

/** The token in a link's fragment, `#t=<token>`, or undefined. */
export function tokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("t") || undefined;
}

/** The token in a pasted link, also in one that a mail filter has wrapped into a link of its own; undefined if there is none. */
export function tokenIn(pasted: string): string | undefined {
  const found = /#t=([\w.-]+)/.exec(pasted) ?? /%23t(?:=|%3D)([\w.-]+)/i.exec(pasted);
  return found?.[1];
}

/**
 * The token of the link that led here. It is removed from the address bar, so that it is not copied, bookmarked or
 * seen.
 */
export function useLinkToken(): string | undefined {
  const arrival = useLocation();
  const [token, setToken] = useState(() => tokenOf(arrival.hash));
  // Runs after each navigation, as another link may be opened in the same window and the language picker keeps the
  // fragment.
  useEffect(() => {
    const { hash, pathname, search } = arrival;
    if (location.hash === "") return;
    setToken(tokenOf(hash));
    history.replaceState(history.state, "", pathname + search);
  }, [arrival]);
  return token;
}
