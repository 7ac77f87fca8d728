import { normaliseEmail } from "../../../../shared/email_address.ts";

/** Parses a sender: `Breachbell <alerts@breachbell.example>` or the bare address; throws for anything else. */
export function parseSender(from: string): { name: string; address: string } {
  const [, name = "", address = from] = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>\s*$/.exec(from) ?? [];
  const sender = normaliseSender(address.trim());
  if (sender === undefined) throw new Error(`Cannot send mail from "${from}": it is no email address`);
  return { name: name.trim(), address: sender };
}

/** Like `normaliseEmail`, but allows `name@localhost`. */
function normaliseSender(address: string): string | undefined {
  return normaliseEmail(address) ?? (/^[\w.+-]+@localhost$/i.test(address) ? address.toLowerCase() : undefined);
}
