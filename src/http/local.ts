import { isLoopback } from "./client_ip.ts";
import { hostIn } from "./host.ts";

/** Headers by which something in front says that it asks for somebody else. */
const FORWARDING =
  /^(?:forwarded|via|x-forwarded(?:-.*)?|x-original-.*|x-real-ip|x-client-ip|x-cluster-client-ip|x-envoy-.*|x-azure-.*|true-client-ip|client-ip|fastly-client-ip|fly-client-ip|cf-.*|cdn-loop)$/;

/** `localhost`, which browsers resolve themselves, and the addresses of this machine. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:.+\.)?localhost$/i.test(host) || isLoopback(host);
}

/**
 * Whether a request was made on this machine, for a service that is meant for this machine: nothing forwards it, and
 * the browser knows us by a name that no other site can have (DNS rebinding).
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
