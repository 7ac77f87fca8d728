import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** A link to one incident leads to it, although it is there only once the page has asked for it. */
export function useArrivalAt(incidents: { id: string }[]): void {
  const { hash } = useLocation();
  const arrived = useRef("");
  useEffect(() => {
    if (hash === arrived.current || !incidents.some(({ id }) => hash === `#incident-${id}`)) return;
    arrived.current = hash;
    document.getElementById(hash.slice(1))?.scrollIntoView({ block: "center" });
  }, [hash, incidents]);
}
