/** The path of an address's monitoring screen, relative to any other page. */
export function screenPath(address: string): string {
  return `../screen-track/${encodeURIComponent(address)}`;
}
