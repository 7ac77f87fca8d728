import type { Outcome } from "../../../ports.ts";

type SmtpError = {
  code?: unknown;
  /** Of the system, if nodemailer has replaced it by one of its own. */
  originalCode?: unknown;
  responseCode?: unknown;
  command?: unknown;
  response?: unknown;
  permanent?: unknown;
  message?: unknown;
};

const OUR_SETTINGS = ["EAUTH", "ENOAUTH", "EOAUTH2", "ECONFIG", "EREQUIRETLS"];

/** Enhanced status codes (RFC 3463) that speak of the recipient's mailbox: unknown, moved, disabled, full, or a bad address. */
const ABOUT_MAILBOX = /\b5\.(1\.([1236]|10)|2\.[12])\b/;
/** The same in words, of servers that name no such status. */
const MAILBOX_WORDS =
  /\b(no such|unknown|invalid) (user|recipient|mailbox|address)|(user|recipient|mailbox|address|account)( is| was)? (unknown|not found|disabled|inactive|unavailable|full)|does(n't| not) exist|over ?quota/i;
/** Any other enhanced status: policy (5.7.x), limits, the network. It takes precedence over words. */
const ENHANCED = /\b5\.\d{1,3}\.\d{1,3}\b/;
/** The message's size or form. */
const ABOUT_MESSAGE = /\b5\.(3\.4|6\.\d{1,3})\b/;
const TOO_BIG = 552;

/**
 * Maps an SMTP error to an outcome. The error code takes precedence over `permanent`: a rejected password is a permanent reply,
 * too, but not the recipient's fault. Only replies about the mailbox blame the recipient; a server that refuses ours by policy,
 * or with a reply that is not known, does not. `wasRead` says whether the mail's content was being sent.
 */
export function smtpFailure(error: unknown, wasRead: boolean): Outcome {
  const { code, responseCode, command, permanent, response } = error as SmtpError;
  const reason = describe(error as SmtpError);
  if (OUR_SETTINGS.includes(String(code)) || responseCode === 530 || responseCode === 535) {
    if (permanent === false) return { kind: "retry", scope: "channel", reason };
    return { kind: "misconfigured", scope: "channel", reason };
  }
  const refusesMessage = code === "EENVELOPE" || code === "EMESSAGE";
  if (!refusesMessage) return { kind: "retry", scope: "channel", reason, ...(wasRead && { inDoubt: true }) };
  if (responseCode === 421) return { kind: "retry", scope: "channel", reason };
  if (permanent === false) return { kind: "retry", scope: command === "MAIL FROM" ? "channel" : "contact", reason };
  if (command === "MAIL FROM" && responseCode !== undefined) return { kind: "misconfigured", scope: "channel", reason };
  // Refused before anything was sent, such as an address that cannot be written.
  if (responseCode === undefined)
    return { kind: "dead", cause: code === "EENVELOPE" && command !== "DATA" ? "recipient" : "message", reason };
  const text = typeof response === "string" ? response : "";
  if (ABOUT_MAILBOX.test(text) || (!ENHANCED.test(text) && MAILBOX_WORDS.test(text)))
    return { kind: "dead", cause: "recipient", reason };
  const isAboutSize = responseCode === TOO_BIG && !ENHANCED.test(text);
  if (isAboutSize && code === "EENVELOPE" && command !== "DATA") return { kind: "dead", cause: "recipient", reason };
  if (isAboutSize || ABOUT_MESSAGE.test(text)) return { kind: "dead", cause: "message", reason };
  return { kind: "misconfigured", scope: "recipient", reason };
}

/** The code of the true cause: of the system, if it has named one, or of nodemailer. */
export function codeOf(error: unknown): string | undefined {
  const { code, originalCode = code } = (error ?? {}) as SmtpError;
  return originalCode === undefined ? undefined : String(originalCode);
}

function describe(error: SmtpError): string {
  const { responseCode, command, response, message } = error;
  const parts = [codeOf(error), command, responseCode === undefined ? message : response];
  return parts
    .filter((part) => part !== undefined)
    .join(" ")
    .replaceAll(/\s+/g, " ")
    .slice(0, 300);
}
