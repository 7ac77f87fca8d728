import { CHANNELS, type Channel } from "../../src/shared/contacts.ts";

/** The ways that the product speaks of everywhere: one that this server cannot send by is shown, and says so. */
const PROMISED: readonly Channel[] = ["email", "telegram", "pushover"];

/** The ways on offer, those that are missed where they are off, and those that are still in use. Before it is known what is on offer, mail. */
export function shownChannels(
  offered: readonly Channel[] | undefined,
  isUsed: (channel: Channel) => boolean = () => false,
): Channel[] {
  const always: readonly Channel[] = offered ? PROMISED : ["email"];
  return CHANNELS.filter((channel) => offered?.includes(channel) || always.includes(channel) || isUsed(channel));
}

/** Known to be off: nobody says so of what is not known yet. */
export function isOff(channel: Channel, offered: readonly Channel[] | undefined): boolean {
  return offered !== undefined && !offered.includes(channel);
}
