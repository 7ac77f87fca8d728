import type { ActivityEvent } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import { isProvider } from "../../shared/provider_names.ts";
import { PROVIDERS } from "../sign_in/providers.tsx";

/** Returns a function that describes an event in words. */
export function useActivityText() {
  const text = useText();
  return ({ event, detail }: Pick<ActivityEvent, "event" | "detail">): string => {
    const { by = "", name = "", provider = "", version = "" } = detail;
    const values = { by, name, version, provider: isProvider(provider) ? PROVIDERS[provider].name : provider };
    return text(`activity.${event}`, values);
  };
}
