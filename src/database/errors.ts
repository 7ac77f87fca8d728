/** The SQLSTATE of a refused statement, wherever Drizzle and the drivers wrapped it; PGlite and a server agree. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "code" in at ? at.code : undefined;
    // At least one digit, so that the system's own five-letter codes (EPIPE) do not pass.
    if (typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** The row exists already. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505";
}

const UNAVAILABLE = "DATABASE_UNAVAILABLE";

/**
 * What a transaction throws when the database was lost, or too slow, before it had answered. Nothing of it was stored,
 * unless the answer to its COMMIT was what got lost: so whoever tries again does what may be repeated.
 */
export function databaseUnavailable(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: UNAVAILABLE });
}

/** True for an outage that passes: nothing is wrong with the request, and it may pass at another time. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNAVAILABLE;
}
