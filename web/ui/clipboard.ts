/** Rejects where the browser offers no clipboard, as on a page without encryption. */
export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
}
