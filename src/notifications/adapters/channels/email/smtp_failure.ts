import type { Outcome } from "../../../ports.ts";

type SmtpError = {
  code?: unknown;
  responseCode?: unknown;
  command?: unknown;
  response?: unknown;
  permanent?: unknown;
  message?: unknown;
};

const OUR_SETTINGS = ["EAUTH", "ENOAUTH", "EOAUTH2", "ECONFIG", "EREQUIRETLS"];

/**
 * Maps an SMTP error to an outcome. The error code takes precedence over `permanent`: a rejected password is a permanent reply,
 * too, but not the recipient's fault. `wasRead` says whether the mail's content was being sent.
 */
export function smtpFailure(error: unknown, wasRead: boolean): Outcome {
  const { code, responseCode, command, permanent } = error as SmtpError;
  const reason = describe(error as SmtpError);
  if (OUR_SETTINGS.includes(String(code)) || responseCode === 530 || responseCode === 535) {
    return permanent === false ? { kind: "retry", scope: "channel", reason } : { kind: "misconfigured", reason };
  }
  const refusesMessage = code === "EENVELOPE" || code === "EMESSAGE";
  if (!refusesMessage) return { kind: "retry", scope: "channel", reason, ...(wasRead && { inDoubt: true }) };
  if (responseCode === 421) return { kind: "retry", scope: "channel", reason };
  if (permanent === false) return { kind: "retry", scope: command === "MAIL FROM" ? "channel" : "contact", reason };
  if (command === "MAIL FROM" && responseCode !== undefined) return { kind: "misconfigured", reason };
  return { kind: "dead", cause: code === "EENVELOPE" && command !== "DATA" ? "recipient" : "message", reason };
}

function describe({ code, responseCode, command, response, message }: SmtpError): string {
  const parts = [code, command, responseCode === undefined ? message : response];
  return parts
    .filter((part) => part !== undefined)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 300);
}
