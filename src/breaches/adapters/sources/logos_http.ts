import { createHash } from "node:crypto";
import { isPublicAddress, type Resolve, resolveBySystem } from "../../../outbound/public_address.ts";
import { causeOf, readUpTo } from "../../../shared/http_response.ts";
import { isLoopbackHost } from "../../../shared/loopback.ts";
import { readImage } from "../../catalogue/logo_image.ts";
import type { LogoAnswer, LogoSource } from "../../catalogue/logo_ports.ts";
import { checkedBase, retryAfterMs, type SourceOptions } from "./source_http.ts";

/** The base URL, such as `https://logos.haveibeenpwned.com`, names the only host that is requested. */
export type LogosOptions = SourceOptions & {
  /** Resolves a host to its IP addresses. */
  resolve?: Resolve;
};

const SOURCE = "logos";
/** One picture per second, for all processes together. */
const INTERVAL_MS = 1000;
const LARGEST = 512 * 1024;
const HOUR_MS = 3_600_000;
/** The hosts whose pictures `baseUrl` serves. Another host's picture of the same name could show another service. */
const HOSTS = ["logos.haveibeenpwned.com", "haveibeenpwned.com"];
const FILE = /^[\w.-]{1,96}\.(?:png|jpe?g|gif|webp)$/i;

/** The file name of a catalogue entry's logo, if it is on one of the hosts. */
function fileOf(path: string, base: URL): string | undefined {
  const url = URL.parse(path, "https://haveibeenpwned.com/");
  if (url === null || !/^https?:$/.test(url.protocol) || ![...HOSTS, base.hostname].includes(url.hostname))
    return undefined;
  const file = url.pathname.split("/").at(-1) ?? "";
  return FILE.test(file) ? file : undefined;
}

function later(reason: string, afterMs = 0): LogoAnswer {
  return { kind: "later", afterMs, reason: `Cannot fetch a logo: ${reason}` };
}

async function logoOf(response: Response): Promise<LogoAnswer> {
  const bytes = await readUpTo(response, LARGEST);
  if (bytes === undefined) return { kind: "refused", reason: "it is too large" };
  const image = readImage(bytes);
  if ("problem" in image) return { kind: "refused", reason: image.problem };
  const etag = response.headers.get("etag");
  const digest = createHash("sha256").update(bytes).digest("hex");
  return { kind: "logo", type: image.type, bytes, digest, ...(etag !== null && etag.length <= 200 && { etag }) };
}

/** Fetches logos from a single host, with limits on time, size and type, without redirects, and never from a private address. */
export function httpLogos(options: LogosOptions): LogoSource {
  const { budget, userAgent, now, resolve = resolveBySystem, timeoutMs = 10_000 } = options;
  const base = checkedBase(SOURCE, options.baseUrl);
  const { hostname } = new URL(base);

  async function isReachable(): Promise<boolean> {
    const host = hostname.replaceAll(/[[\]]/g, "");
    // Loopback only if the operator has configured it explicitly.
    return isLoopbackHost(hostname) || (await resolve(host)).every(isPublicAddress);
  }

  async function request(file: string, etag: string | undefined): Promise<LogoAnswer> {
    const response = await fetch(`${base}/${file}`, {
      headers: { accept: "image/*", "user-agent": userAgent, ...(etag && { "if-none-match": etag }) },
      redirect: "manual",
      // At one request per second, the previous connection may be closed already.
      keepalive: false,
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { status, headers } = response;
    if (status === 200) return logoOf(response);
    await response.body?.cancel();
    if (status === 304 && etag !== undefined) return { kind: "unchanged" };
    if (status === 404 || status === 410) return { kind: "missing" };
    const pause = status === 429 || status === 503 ? retryAfterMs(headers.get("retry-after"), now()) : 0;
    if (pause > 0 || status === 403)
      await budget.pause(SOURCE, new Date(now().getTime() + (status === 403 ? HOUR_MS : pause)));
    return later(`the unexpected status ${status}`, pause);
  }

  return {
    async ask(path, etag) {
      const file = fileOf(path, new URL(base));
      if (file === undefined) return { kind: "missing" };
      const afterMs = await budget.take(SOURCE, INTERVAL_MS);
      if (afterMs > 0)
        return { kind: "later", afterMs, reason: "Logos are not to be asked for yet", isRateLimit: true };
      try {
        if (!(await isReachable())) return later("its host has a private address", HOUR_MS);
        return await request(file, etag);
      } catch (error) {
        return later(causeOf(error));
      }
    },
  };
}
