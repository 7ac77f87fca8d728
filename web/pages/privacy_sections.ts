import { type Chat, isChat } from "../../src/shared/chats.ts";
import type { Instance } from "../api/api.ts";

/** A section of the privacy notice: its texts, list items, and links to pages where the user can act. */
export type PrivacySection = { id: string; items?: readonly string[]; links?: readonly (readonly [string, string])[] };

const SOURCES: Record<string, string> = {
  hibp: "gets_hibp",
  xposedornot: "gets_xposedornot",
  dataset: "gets_dataset",
  bundled: "gets_bundled",
};
const CHANNELS: Record<Exclude<Instance["channels"][number], Chat>, string | undefined> = {
  // Email has no recipient of its own: the mail server is listed for all mail.
  email: undefined,
  telegram: "gets_telegram",
  pushover: "gets_pushover",
  ntfy: "gets_ntfy",
  webhook: "gets_webhook",
  webpush: "gets_webpush",
};
const PAYMENT = { stripe: "gets_stripe", sandbox: "gets_sandbox", off: undefined };

/** The recipients of data, depending on the configuration of this installation. */
function recipientsOf({ mailbox, sources, channels, billing, providers }: Instance): string[] {
  const all = [
    mailbox ? "gets_mailbox" : "gets_mail",
    ...sources.map((source) => SOURCES[source]),
    ...channels.map((channel) => (isChat(channel) ? undefined : CHANNELS[channel])),
    channels.some(isChat) ? "gets_chats" : undefined,
    "gets_aliases",
    PAYMENT[billing],
    providers.length > 0 ? "gets_providers" : undefined,
    "gets_nobody",
  ];
  return all.filter((recipient) => recipient !== undefined);
}

const DATA = [
  "data_account",
  "data_addresses",
  "data_findings",
  "data_domains",
  "data_signing",
  "data_messages",
  "data_support",
];
const KEPT = [
  "kept_account",
  "kept_addresses",
  "kept_alerts",
  "kept_consents",
  "kept_domains",
  "kept_blocks",
  "kept_sessions",
  "kept_activity",
  "kept_messages",
  "kept_support",
];

/** The sections of the privacy notice that apply to this installation. */
export function privacySections(instance: Instance): PrivacySection[] {
  const isPaid = instance.billing !== "off";
  const hasProviders = instance.providers.length > 0;
  return [
    { id: "who" },
    {
      id: "data",
      items: [...DATA, ...(isPaid ? ["data_payment"] : [])],
    },
    { id: "why" },
    { id: "who_gets", items: recipientsOf(instance) },
    {
      id: "kept",
      items: [...KEPT, ...(isPaid ? ["kept_payment"] : []), "kept_backups"],
    },
    {
      id: "rights",
      items: ["rights_copy", "rights_correct", "rights_erase", "rights_withdraw", "rights_complain"],
      links: [
        ["profile", "rights_profile"],
        ["profile-edit", "rights_edit"],
        ["dashboard", "rights_dashboard"],
      ],
    },
    {
      id: "device",
      items: ["device_session", "device_device", ...(hasProviders ? ["device_provider"] : []), "device_storage"],
    },
    { id: "watched" },
    { id: "changes" },
  ];
}
