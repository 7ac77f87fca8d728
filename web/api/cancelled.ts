const NAME = "Cancelled";

/** Somebody changed their mind half way: no failure, and nothing to say. */
export function cancelled(): Error {
  return Object.assign(new Error("Cancelled by the person"), { name: NAME });
}

export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
