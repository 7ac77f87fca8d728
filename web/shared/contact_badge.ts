import type { ContactHealth } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";
import type { Tone } from "../ui/display/badge.tsx";

/** The badge for a contact's state. */
export function badgeOf({ channel, state }: Pick<ContactHealth, "channel" | "state">): { tone: Tone; label: TextId } {
  switch (state) {
    case "active":
      return { tone: "safe", label: "contact_card.active" };
    case "unconfirmed":
      return { tone: "note", label: channel === "telegram" ? "contact_card.unconnected" : "contact_card.unconfirmed" };
    case "unsubscribed":
      return { tone: "quiet", label: "contact_card.unsubscribed" };
    case "broken":
      return { tone: "alarm", label: "contact_card.broken" };
  }
}
