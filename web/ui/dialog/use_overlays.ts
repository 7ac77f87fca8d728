import { useEffect, useState } from "react";
import { toast } from "sonner";
import { useText } from "../../app/i18n.tsx";

type Overlays = typeof import("./overlays.ts");

let fetched: Overlays | undefined;

/** Nothing is open when a page shows, so dialogs and drawers come with the first thing that somebody does on it. */
export async function fetchOverlays(): Promise<Overlays> {
  fetched ??= await import("./overlays.ts");
  return fetched;
}

/**
 * The windows that lie above a page, as soon as one is to be opened, and whether it is. One that could not be fetched is
 * closed again with a word of why.
 */
export function useOverlays(opened: boolean, onClose: () => void): { overlays: Overlays | undefined; isOpen: boolean } {
  const text = useText();
  const [overlays, setOverlays] = useState(fetched);
  // It opens when it is there already, and knows whether things may move: as every time after.
  const [isThere, setThere] = useState(overlays !== undefined);
  useEffect(() => {
    if (overlays === undefined) return;
    const soon = setTimeout(() => setThere(true));
    return () => clearTimeout(soon);
  }, [overlays]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it is to be opened
  useEffect(() => {
    if (!opened || overlays) return;
    fetchOverlays().then(setOverlays, () => {
      toast.error(text("error.unreachable"));
      onClose();
    });
  }, [opened]);
  return { overlays, isOpen: opened && isThere };
}
