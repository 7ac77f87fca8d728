import { CHANNELS, type Channel } from "../../src/shared/contacts.ts";

/** Channels that every installation shows, disabled with an explanation where the server cannot send by them. */
const PROMISED: readonly Channel[] = ["email", "telegram", "pushover"];

/**
 * The channels to show: those on offer, the disabled ones, and those still in use. Only email while the offer is
 * unknown.
 */
export function shownChannels(
  offered: readonly Channel[] | undefined,
  isUsed: (channel: Channel) => boolean = () => false,
): Channel[] {
  const always: readonly Channel[] = offered ? PROMISED : ["email"];
  return CHANNELS.filter((channel) => offered?.includes(channel) || always.includes(channel) || isUsed(channel));
}

/** Whether a channel is known to be off; false while the offer is unknown. */
export function isOff(channel: Channel, offered: readonly Channel[] | undefined): boolean {
  return offered !== undefined && !offered.includes(channel);
}
