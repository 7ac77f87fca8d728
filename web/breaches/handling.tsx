import { useDisclosure } from "@mantine/hooks";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import type { Asked } from "./alert_mutations.ts";
import { HandleDialog } from "./handle_dialog.tsx";

type HandlingContext = { ask: (asked: Asked) => void; isAsking: boolean };
const Handling = createContext<HandlingContext>({ ask: () => undefined, isAsking: false });

/** Provides one dialog for the whole page, so that it and its input survive when the row that opened it disappears. */
export function HandlingProvider({ children }: { children: ReactNode }) {
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

/** Opens the confirmation dialog for alerts. */
export function useHandling(): HandlingContext {
  return useContext(Handling);
}
