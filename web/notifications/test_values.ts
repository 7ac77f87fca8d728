import type { FormErrors } from "@mantine/form";
import { byChannel, CHANNELS, type Channel, contactRequired } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ContactHealth } from "../api/api.ts";
import { shownChannels } from "../shared/offered_channels.ts";

/** The limit of one request. */
export const MOST_TESTS = 20;

/** A channel is selected first, then its contacts; their selection is kept while the channel is deselected. */
export type TestValues = { kinds: Record<Channel, boolean>; contacts: Record<Channel, string[]> };

/** The channels to show: those on offer, the disabled ones, and those that still have contacts. */
export function kindsOf(
  contacts: Pick<ContactHealth, "channel">[],
  offered: readonly Channel[] | undefined,
): Channel[] {
  return shownChannels(offered, (channel) => contacts.some((one) => one.channel === channel));
}

/** Preselects all working contacts, up to the limit of one request. */
export function testValuesOf(contacts: Pick<ContactHealth, "id" | "channel" | "state">[]): TestValues {
  const working = contacts.filter(({ state }) => state === "active").slice(0, MOST_TESTS);
  const chosen = byChannel((channel) => working.filter((one) => one.channel === channel).map(({ id }) => id));
  return { kinds: byChannel((channel) => chosen[channel].length > 0), contacts: chosen };
}

/** The selected contacts of the selected channels. */
export function chosenOf({ kinds, contacts }: TestValues): string[] {
  return CHANNELS.flatMap((channel) => (kinds[channel] ? contacts[channel] : []));
}

/** Each selected channel needs at least one contact. */
export function testErrors(values: TestValues): FormErrors {
  const { kinds, contacts } = values;
  const missing = CHANNELS.filter((channel) => kinds[channel] && contacts[channel].length === 0);
  const codes = missing.map((channel) => [`contacts.${channel}`, contactRequired(channel)]);
  if (codes.length > 0) return Object.fromEntries(codes);
  return Object.values(kinds).some(Boolean) ? {} : { kinds: "METHOD_REQUIRED" satisfies ErrorCode };
}
