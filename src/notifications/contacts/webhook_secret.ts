import type { NewToken } from "../../shared/secrets.ts";

/** The signing secret of a webhook, in the format of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(newToken: NewToken): string {
  return `whsec_${newToken().replaceAll("-", "+").replaceAll("_", "/")}=`;
}
