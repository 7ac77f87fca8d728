import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/** Scrolls to the incident in the URL's fragment once the incidents have loaded. */
export function useArrivalAt(incidents: { id: string }[]): void {
  const { hash } = useLocation();
  const arrived = useRef("");
  useEffect(() => {
    if (hash === arrived.current || !incidents.some(({ id }) => hash === `#incident-${id}`)) return;
    arrived.current = hash;
    document.getElementById(hash.slice(1))?.scrollIntoView({ block: "center" });
  }, [hash, incidents]);
}
