/** A name, with underscores as container networks have them, or an address, and a port (RFC 9110, 7.2). */
const HOST = /^(?:([\w.-]{1,253})|\[([\da-f:.]{2,45})\])(?::(\d{1,5}))?$/i;
const PORT_MAX = 65_535;

/** The name or address in a Host header; undefined where it is not one host, as with two of these headers, which arrive joined. */
export function hostIn(header: string): string | undefined {
  const [, name, address, port = "0"] = HOST.exec(header) ?? [];
  return Number(port) > PORT_MAX ? undefined : (name ?? address);
}
