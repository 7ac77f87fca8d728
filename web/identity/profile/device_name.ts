import { useText } from "../../app/i18n.tsx";

type Device = { browser: string | null; system: string | null };

/** "Firefox on Linux", or the part of it that is known. */
export function useDeviceName() {
  const text = useText();
  return ({ browser, system }: Device): string => {
    if (browser !== null && system !== null) return text("sessions.on", { browser, system });
    return browser ?? system ?? text("sessions.unknown");
  };
}
