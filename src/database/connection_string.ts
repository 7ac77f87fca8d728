/** A server; a name that begins with "/" is the directory of its Unix socket. */
export type Host = { name: string; port: number };

const SSL_MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;
type SslMode = (typeof SSL_MODES)[number];

/** Encryption as libpq defines it. The paths are those of PEM files. */
export type Encryption = {
  mode: SslMode;
  /** Absent: the built-in authorities and those of NODE_EXTRA_CA_CERTS. */
  rootCertificate?: string;
  client?: { certificate: string; key: string };
};

/** How a database is reached. */
export type ConnectionString = {
  /** Tried in this order; at least one. */
  hosts: Host[];
  user: string | undefined;
  password: string | undefined;
  database: string | undefined;
  encryption: Encryption;
  /** Sent when a connection begins. */
  startup: Record<string, string>;
  /** Undefined: no keep-alive. */
  keepAliveSeconds: number | undefined;
  /** How long each host may take to answer; undefined: as long as the transaction. */
  connectMs: number | undefined;
};

export type Read = { ok: true; value: ConnectionString } | { ok: false; problem: string };

const FORM = "postgres://user:password@host:5432/database";
const ENCODING =
  'percent-encode its user name and password: %25 for "%", %23 for "#", %2F for "/", %3F for "?", %3A for ":" and %40 for "@"';
const ENCODE = `cannot be read; ${ENCODING}`;

/** Parameters that are read below. */
const READ_HERE = new Set(
  "host port user password dbname sslmode ssl sslrootcert sslcert sslkey application_name options connect_timeout keepalives keepalives_idle".split(
    " ",
  ),
);
/** Values of other parameters that describe what happens anyway. */
const MATCHING: Record<string, string[]> = {
  channel_binding: ["disable", "prefer"],
  gssencmode: ["disable", "prefer"],
  target_session_attrs: ["any", "read-write", "primary"],
  load_balance_hosts: ["disable"],
  sslnegotiation: ["postgres"],
  sslcompression: ["0"],
  sslsni: ["1"],
  ssl_min_protocol_version: ["TLSv1.2"],
  client_encoding: ["UTF8", "auto"],
};

const isOneOf = <const Value extends string>(values: readonly Value[], value: string): value is Value =>
  (values as readonly string[]).includes(value);

class Unreadable extends Error {}

function refuse(problem: string): never {
  throw new Unreadable(problem);
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return refuse(ENCODE);
  }
}

/** The parts between the scheme and the parameters, still encoded. */
function split(text: string) {
  const [, rest] =
    /^(?:postgres|postgresql):\/\/(.*)$/s.exec(text) ?? refuse(`must be "embedded" or look like ${FORM}`);
  const [, authority = "", path = "", query = ""] = /^([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/.exec(rest ?? "") ?? [];
  const at = authority.lastIndexOf("@");
  const pairs = query === "" ? [] : query.split("&").map((pair) => pair.split(/=(.*)/s, 2));
  // An "@" after what seems to be the end of the authority: its password contains the "/" or "?" that ended it.
  const isTornApart = path.includes("@") || (at < 0 && query.includes("@")) || pairs.some((pair) => pair.length < 2);
  if (rest?.includes("#") || isTornApart) refuse(ENCODE);
  const [user = "", password] = at < 0 ? [] : authority.slice(0, at).split(/:(.*)/s, 2);
  return { user, password, hosts: authority.slice(at + 1), path, pairs, hasCredentials: at >= 0, query };
}

type Parts = ReturnType<typeof split>;

/** The parameters by name. Quotes no name or value that may be a part of a password. */
function parametersOf({ pairs, hasCredentials }: Parts): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const [name = "", encoded = ""] of pairs) {
    const value = decoded(encoded);
    if (READ_HERE.has(name)) parameters.set(name, value);
    else if (name in MATCHING) {
      const values = MATCHING[name] ?? [];
      if (!values.includes(value))
        refuse(`has a value of ${name} that is not supported: ${oneOf(values)}, or leave it out`);
    } else if (hasCredentials && /^[a-z_]{1,40}$/.test(name))
      refuse(`has the parameter ${name}, which is not supported: leave it out`);
    else refuse(`has a parameter that is not supported: leave it out, or ${ENCODING}`);
  }
  return parameters;
}

function oneOf(values: readonly string[]): string {
  return `use ${values.join(" or ")}`;
}

function hostsOf({ hosts, hasCredentials, query }: Parts, parameters: Map<string, string>): Host[] {
  const given = hosts.split(",").map((one) => {
    const [, bracketed, plain, port] = /^(?:\[([^\]]*)\]|([^:[\]]*))(?::(.*))?$/s.exec(one) ?? refuse(ENCODE);
    return { name: decoded(bracketed ?? plain ?? ""), port };
  });
  const names = parameters.get("host")?.split(",") ?? given.map(({ name }) => name);
  const ports = parameters.get("port")?.split(",") ?? given.map(({ port }) => port);
  if (names.some((name) => name === ""))
    refuse("names no host: add one, or the directory of a socket as ?host=/var/run/postgresql");
  if (ports.length > 1 && ports.length !== names.length) refuse("must name one port, or one for each host");
  return names.map((name, at) => {
    const port = ports.length === 1 ? ports[0] : ports[at];
    const number = port === undefined || port === "" ? 5432 : Number(/^\d{1,5}$/.test(port) ? port : Number.NaN);
    // Without an "@", what looks like a port may be the beginning of a password.
    if (!(number >= 1 && number <= 65_535))
      refuse(hasCredentials || query.includes("port=") ? "has a port that is not a number from 1 to 65535" : ENCODE);
    return { name, port: number };
  });
}

function encryptionOf(parameters: Map<string, string>): Encryption {
  const root = parameters.get("sslrootcert");
  const [certificate, key] = [parameters.get("sslcert"), parameters.get("sslkey")];
  const wanted = parameters.get("sslmode") ?? (parameters.get("ssl") === "true" ? "require" : undefined);
  const mode = wanted ?? (root === "system" ? "verify-full" : "prefer");
  if (!isOneOf(SSL_MODES, mode)) refuse(`has a value of sslmode that does not exist: ${oneOf(SSL_MODES)}`);
  if (root === "system" && mode !== "verify-full") refuse("needs sslmode=verify-full with sslrootcert=system");
  if (root !== undefined && isOneOf(["disable", "allow", "prefer"], mode))
    refuse("has sslrootcert, but its sslmode verifies nothing: use sslmode=verify-full");
  if ((certificate === undefined) !== (key === undefined)) refuse("needs sslcert and sslkey together");
  return {
    // As libpq does it where there is an authority to verify against.
    mode: mode === "require" && root !== undefined ? "verify-ca" : mode,
    ...(root !== undefined && root !== "system" && { rootCertificate: root }),
    ...(certificate !== undefined && key !== undefined && { client: { certificate, key } }),
  };
}

function secondsOf(parameters: Map<string, string>, name: string): number | undefined {
  const value = parameters.get(name);
  if (value !== undefined && !/^\d{1,6}$/.test(value)) refuse(`has a value of ${name} that is not a number of seconds`);
  return value === undefined ? undefined : Number(value);
}

/** Hosts that are tried in turn must not wait for one that never answers. */
const SEVERAL_SECONDS = 1;
const KEEP_ALIVE_SECONDS = 30;

function read(text: string): ConnectionString {
  const parts = split(text);
  const parameters = parametersOf(parts);
  const hosts = hostsOf(parts, parameters);
  const connectSeconds = secondsOf(parameters, "connect_timeout") || (hosts.length > 1 ? SEVERAL_SECONDS : undefined);
  const startup = ["application_name", "options"].flatMap((name) => {
    const value = parameters.get(name);
    return value === undefined ? [] : [[name, value]];
  });
  const password = parts.password === undefined ? undefined : decoded(parts.password);
  return {
    hosts,
    user: parameters.get("user") ?? (decoded(parts.user) || undefined),
    password: parameters.get("password") ?? password,
    database: parameters.get("dbname") ?? (decoded(parts.path) || undefined),
    encryption: encryptionOf(parameters),
    startup: Object.fromEntries(startup),
    keepAliveSeconds:
      parameters.get("keepalives") === "0" ? undefined : secondsOf(parameters, "keepalives_idle") || KEEP_ALIVE_SECONDS,
    connectMs: connectSeconds === undefined ? undefined : connectSeconds * 1000,
  };
}

/**
 * Reads a connection string as libpq does. What is not supported is a problem, never ignored: a predicate to follow the name of
 * the setting, without anything that may be a secret.
 */
export function readConnectionString(text: string): Read {
  try {
    return { ok: true, value: read(text) };
  } catch (error) {
    if (error instanceof Unreadable) return { ok: false, problem: error.message };
    throw error;
  }
}
