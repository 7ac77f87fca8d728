/** A breach as it is compared with the name of an address. */
type Service = { name: string; title: string; domain: string };

const SHORTEST = 3;

/** Letters and digits only, lower case. */
function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
}

/** `shop+adobe` and `adobe.2013` name Adobe; the parts of `anna.meier` name no service. */
function partsOf(alias: string): string[] {
  const parts = alias.split(/[+._-]/).map(plain);
  return [plain(alias), ...parts].map((part) => part.replace(/\d+$/, "")).filter((part) => part.length >= SHORTEST);
}

/** The label before the public ending: "adobe" of "adobe.com" and of "shop.adobe.co.uk". */
function labelsOf(domain: string): string[] {
  return domain
    .split(".")
    .slice(0, -1)
    .map(plain)
    .filter((label) => label.length >= SHORTEST && !["com", "org", "net", "www"].includes(label));
}

/**
 * The name of the breach whose service an address was made for, such as `adobe@` in Adobe's breach: only that service had the
 * address. Undefined where no name fits.
 */
export function leakerOf(alias: string, breaches: readonly Service[]): string | undefined {
  const parts = new Set(partsOf(alias));
  return breaches.find(({ title, domain }) => [plain(title), ...labelsOf(domain)].some((label) => parts.has(label)))
    ?.name;
}
