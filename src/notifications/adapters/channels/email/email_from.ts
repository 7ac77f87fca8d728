import { normaliseEmail } from "../../../../shared/email_address.ts";

/** Name and address of a sender, as `Breachbell <alerts@breachbell.example>` or the bare address; throws when it is neither. */
export function parseSender(from: string): { name: string; address: string } {
  const [, name = "", address = from] = /^\s*"?([^"<>\r\n]*?)"?\s*<([^<>\s]+)>\s*$/.exec(from) ?? [];
  const sender = normaliseSender(address.trim());
  if (sender === undefined) throw new Error(`Cannot send mail from "${from}": it is no email address`);
  return { name: name.trim(), address: sender };
}

/** As `normaliseEmail`, but this machine may send as `name@localhost`. */
function normaliseSender(address: string): string | undefined {
  return normaliseEmail(address) ?? (/^[\w.+-]+@localhost$/i.test(address) ? address.toLowerCase() : undefined);
}
