/** Recognisable for its owner, but not readable for others: `a…@example.org`. */
export function maskedEmail(email: string): string {
  return `${[...email].slice(0, 1).join("")}…${email.slice(email.lastIndexOf("@"))}`;
}
