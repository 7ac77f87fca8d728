/** Enough for its owner to recognise: `a…@example.org`. */
export function maskedEmail(email: string): string {
  return `${[...email].slice(0, 1).join("")}…${email.slice(email.lastIndexOf("@"))}`;
}
