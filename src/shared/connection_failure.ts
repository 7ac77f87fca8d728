/** What the codes of the system, of TLS and of Bun's `fetch` say about a failed connection. */
const REASONS: Record<string, string> = {
  ConnectionRefused: "nobody listens there",
  ECONNREFUSED: "nobody listens there",
  ENOTFOUND: "the name is not known",
  EAI_AGAIN: "the name could not be looked up",
  FailedToOpenSocket: "the name is not known, or nobody listens there",
  ENOENT: "it does not exist",
  EACCES: "this user may not use it",
  EHOSTUNREACH: "there is no route to it",
  ENETUNREACH: "there is no route to it",
  ETIMEDOUT: "no answer in time",
  ConnectionClosed: "the connection was cut",
  ECONNRESET: "the connection was cut",
  EPIPE: "the connection was cut",
  CERT_HAS_EXPIRED: "its certificate has expired",
  DEPTH_ZERO_SELF_SIGNED_CERT: "its certificate is self-signed",
  SELF_SIGNED_CERT_IN_CHAIN: "its certificate is from an unknown authority",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "its certificate is from an unknown authority",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "its certificate is from an unknown authority",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is for another name",
  ERR_SSL_WRONG_VERSION_NUMBER: "it does not speak TLS there",
  EISDIR: "it is a folder",
};

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
}

/** Why a connection failed, or undefined if the error is none that is known. */
export function connectionFailure(error: unknown): string | undefined {
  if (error instanceof Error && error.name === "TimeoutError") return "no answer in time";
  const code = codeOf(error);
  if (code?.startsWith("ERR_SSL_")) return REASONS[code] ?? "TLS could not be agreed on";
  return code === undefined ? undefined : REASONS[code];
}

/** The reason in words, or the message of any other error. */
export function messageOf(error: unknown): string {
  return connectionFailure(error) ?? (error instanceof Error ? error.message : String(error));
}
