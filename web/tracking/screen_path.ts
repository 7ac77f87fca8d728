/** Where the monitoring of an address is shown. */
export function screenPath(language: string | undefined, address: string): string {
  return `/${language}/screen-track/${encodeURIComponent(address)}`;
}
