/** The path of an address's monitoring screen. */
export function screenPath(language: string | undefined, address: string): string {
  return `/${language}/screen-track/${encodeURIComponent(address)}`;
}
