import { useEffect, useState } from "react";
import { useLocation } from "react-router";
import { entryState, setEntryState } from "./entry_state.ts";

/** The token in a link's fragment, `#t=<token>`, or undefined. */
export function tokenOf(hash: string): string | undefined {
  return new URLSearchParams(hash.replace(/^#/, "")).get("t") || undefined;
}

/** The token in a pasted link, also in one that a mail filter has wrapped into a link of its own; undefined if there is none. */
export function tokenIn(pasted: string): string | undefined {
  const found = /#t=([\w.-]+)/.exec(pasted) ?? /%23t(?:=|%3D)([\w.-]+)/i.exec(pasted);
  return found?.[1];
}

const KEY = "linkToken";

/**
 * The token of the link that led here. It is moved from the address bar to the history entry, so that it is not copied,
 * bookmarked or seen, but not lost on a reload either.
 */
export function useLinkToken(): string | undefined {
  const arrival = useLocation();
  const [token, setToken] = useState(() => tokenOf(arrival.hash) ?? (entryState(KEY) as string | undefined));
  // Runs after each navigation: another link may be opened in the same window, and the language picker makes a new entry.
  useEffect(() => {
    const { hash, pathname, search } = arrival;
    const linkToken = location.hash === "" ? token : tokenOf(hash);
    setToken(linkToken);
    setEntryState(KEY, linkToken, pathname + search);
  }, [arrival, token]);
  return token;
}
