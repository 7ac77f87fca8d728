import type { NewToken } from "../../shared/secrets.ts";

/** What a webhook's messages are signed with, in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(newToken: NewToken): string {
  return `whsec_${newToken().replaceAll("-", "+").replaceAll("_", "/")}=`;
}
