import type { ContactHealth } from "../api/api.ts";
import type { TextId } from "../app/text_id.ts";
import type { Tone } from "../ui/display/badge.tsx";

const TONES = { active: "safe", unconfirmed: "note", unsubscribed: "quiet", broken: "alarm" } as const;

/** The badge for a contact's state. */
export function badgeOf({ channel, state }: Pick<ContactHealth, "channel" | "state">): { tone: Tone; label: TextId } {
  const isUnconnected = state === "unconfirmed" && channel === "telegram";
  return { tone: TONES[state], label: `contact_card.${isUnconnected ? "unconnected" : state}` };
}
