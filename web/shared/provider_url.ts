import { type Body, post } from "../api/call.ts";

const THIS_MACHINE = /^(localhost|127\.0\.0\.1|\[::1\])$/;

/** The address of a provider's page. Only https is allowed, and plain http on this machine for stand-ins. */
export function providerUrl(text: string): string {
  const url = new URL(text);
  const isOpenable = url.protocol === "https:" || (url.protocol === "http:" && THIS_MACHINE.test(url.hostname));
  if (!isOpenable) throw new Error(`Cannot open "${url.protocol}" as a provider's page`);
  return url.href;
}

/** Starts a login, a link or a confirmation at a provider; resolves to the address of its page. */
export async function startAtProvider(provider: string, body: Body<"/api/providers/:provider/start", "$post">) {
  return providerUrl((await post("/api/providers/:provider/start", { params: { provider }, body })).url);
}
