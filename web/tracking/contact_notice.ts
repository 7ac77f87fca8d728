import type { Contact } from "../api.ts";
import type { TextId } from "../text_id.ts";

/** What a contact that gets no messages needs; nothing is said of one that works. */
export function contactNotice({ channel, state }: Contact): TextId | undefined {
  if (state === "active") return undefined;
  return state === "unconfirmed" && channel === "telegram" ? "contact_state.unconnected" : `contact_state.${state}`;
}
