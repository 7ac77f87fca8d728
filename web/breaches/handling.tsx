import { useDisclosure } from "@mantine/hooks";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import type { Asked } from "./alert_mutations.ts";
import { HandleDialog } from "./handle_dialog.tsx";

type HandlingContext = { ask: (asked: Asked) => void; isAsking: boolean };
const Handling = createContext<HandlingContext>({ ask: () => undefined, isAsking: false });

/** One question for the whole page, so that it outlives the row it was asked from, and what was typed with it. */
export function HandlingDesk({ children }: { children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const [opened, { open, close }] = useDisclosure();
  const ask = useCallback(
    (next: Asked) => {
      setAsked(next);
      open();
    },
    [open],
  );
  const desk = useMemo(() => ({ ask, isAsking: opened }), [ask, opened]);
  return (
    <Handling value={desk}>
      {children}
      {asked && <HandleDialog opened={opened} asked={asked} onClose={close} />}
    </Handling>
  );
}

/** Asks "Are you sure?" about alerts, and does it. */
export function useHandling(): HandlingContext {
  return useContext(Handling);
}
