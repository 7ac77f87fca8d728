/** The SQLSTATE of a refused statement, wherever Drizzle and the drivers wrapped it; PGlite and a server agree. */
export function sqlState(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause) {
    const code = "code" in at ? at.code : undefined;
    // At least one digit, so that the system's own five-letter codes (EPIPE) do not pass.
    if (typeof code === "string" && /^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return code;
  }
  return undefined;
}

/** The statement violated a unique constraint. */
export function isUniqueViolation(error: unknown): boolean {
  return sqlState(error) === "23505";
}

const READ_ONLY = "25006";

/** A change was refused because the database accepts none, as a primary does after a failover. */
export function isReadOnlyDatabase(error: unknown): boolean {
  return sqlState(error) === READ_ONLY;
}

/** The error of a database that reads but accepts no changes. */
export function readOnlyDatabase(): Error {
  return Object.assign(new Error("The database accepts no changes"), { code: READ_ONLY });
}

const UNAVAILABLE = "DATABASE_UNAVAILABLE";

/**
 * The error of a transaction whose database was lost or too slow. Nothing was stored, unless the answer to COMMIT was lost: so
 * only repeat what is idempotent.
 */
export function databaseUnavailable(message: string, cause?: unknown): Error {
  return Object.assign(new Error(message, { cause }), { code: UNAVAILABLE });
}

/** Whether this is a temporary outage, after which the same request may succeed. */
export function isDatabaseUnavailable(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === UNAVAILABLE;
}
