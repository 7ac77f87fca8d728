import { Button } from "@mantine/core";
import { useState } from "react";
import { useText } from "../app/i18n.tsx";
import { usePrinting } from "../ui/display/printing.ts";

const AT_FIRST = 20;

/** The first entries of a list until all are asked for; in print all. */
export function useFirst<Entry>(list: readonly Entry[]) {
  const [isAll, setAll] = useState(false);
  const isPrinting = usePrinting();
  const first = isAll || isPrinting ? list : list.slice(0, AT_FIRST);
  return { first, hidden: list.length - first.length, showAll: () => setAll(true) };
}

/** The button that shows the rest of a list. */
export function ShowAll({ hidden, total, onShow }: { hidden: number; total: number; onShow: () => void }) {
  const text = useText();
  if (hidden === 0) return null;
  return (
    <Button variant="subtle" size="compact-sm" onClick={onShow}>
      {text("traces.all", { count: total })}
    </Button>
  );
}
