import { isLoopback } from "./client_ip.ts";
import { hostIn } from "./host.ts";

/** Headers by which a proxy announces that it forwards a request. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|x-azure-.*|true-client-ip|client-ip|fastly-client-ip|fly-client-ip|cf-.*|cdn-loop)$/;

/** `localhost`, which browsers resolve themselves, and the loopback addresses. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(host) || isLoopback(host);
}

/**
 * Whether a request was made on this machine: it was not forwarded, and its Host is one that no other site can have (protection
 * against DNS rebinding).
 */
export function isLocal(headers: Headers, socket: string | undefined, publicUrl: string): boolean {
  const host = hostIn(headers.get("Host") ?? "");
  return (
    isLoopback(socket ?? "") &&
    host !== undefined &&
    isLoopbackHost(host) &&
    isLoopbackHost(new URL(publicUrl).hostname.replace(/^\[|\]$/g, "")) &&
    ![...headers.keys()].some((name) => FORWARDING.test(name))
  );
}
