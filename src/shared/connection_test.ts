/** How a test of a channel or source ended. `staff.json` has a sentence for each, with what to do. */
export const TESTED = [
  "accepted",
  "answered",
  "off",
  "no_contact",
  "limited",
  "unknown_host",
  "no_listener",
  "timeout",
  "certificate",
  "credentials",
  "unreachable",
  "recipient",
  "refused",
] as const;
export type Tested = (typeof TESTED)[number];
