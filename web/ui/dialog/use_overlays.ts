import { useEffect, useState } from "react";
import { toast } from "sonner";
import { useText } from "../../app/i18n.tsx";

type Overlays = typeof import("./overlays.ts");

let fetched: Overlays | undefined;

/** Loads the dialogs and drawers. No page opens with one, so they are loaded on the first interaction. */
export async function fetchOverlays(): Promise<Overlays> {
  fetched ??= await import("./overlays.ts");
  return fetched;
}

/**
 * The overlay components as soon as one is to be opened, and whether it is open. If they cannot be loaded, the overlay
 * is closed and a toast says why.
 */
export function useOverlays(opened: boolean, onClose: () => void): { overlays: Overlays | undefined; isOpen: boolean } {
  const text = useText();
  const [overlays, setOverlays] = useState(fetched);
  // Mounts closed and opens afterwards, so that the first opening has the same transition as later ones.
  const [isThere, setThere] = useState(overlays !== undefined);
  useEffect(() => {
    if (overlays === undefined) return;
    const soon = setTimeout(() => setThere(true));
    return () => clearTimeout(soon);
  }, [overlays]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when it is to be opened
  useEffect(() => {
    if (!opened || overlays) return;
    fetchOverlays().then(setOverlays, () => {
      toast.error(text("error.unreachable"));
      onClose();
    });
  }, [opened]);
  return { overlays, isOpen: opened && isThere };
}
