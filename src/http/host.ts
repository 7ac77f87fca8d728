/** A host name (with underscores, as container networks use them) or an address, and an optional port (RFC 9110, 7.2). */
const HOST = /^(?:([\w.-]{1,253})|\[([\da-f:.]{2,45})\])(?::(\d{1,5}))?$/i;
const PORT_MAX = 65_535;

/** The name or address in a Host header; undefined unless it is exactly one host (duplicate headers arrive joined). */
export function hostIn(header: string): string | undefined {
  const [, name, address, port = "0"] = HOST.exec(header) ?? [];
  return Number(port) > PORT_MAX ? undefined : (name ?? address);
}
