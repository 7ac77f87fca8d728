const NAME = "Cancelled";

/** Thrown when the user cancels an operation; no message is shown for it. */
export function cancelled(): Error {
  return Object.assign(new Error("Cancelled by the person"), { name: NAME });
}

export function isCancelled(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}
