/** Whether a URL's host name, in brackets if it is an IPv6 address, means this machine. */
export function isLoopbackHost(host: string): boolean {
  return host === "[::1]" || /^(.+\.)?localhost$/.test(host) || /^127(\.\d+){3}$/.test(host);
}
