import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { isApiError } from "../../api/api.ts";
import { post } from "../../api/call.ts";

export function passkeysSupported(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Requests a passkey assertion from the browser and has the server verify it. */
export async function signInByPasskey() {
  const [{ startAuthentication }, options] = await Promise.all([
    import("@simplewebauthn/browser"),
    post("/api/verify-passkey/options"),
  ]);
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return post("/api/verify-passkey", { body: { response: await startAuthentication({ optionsJSON }) } });
}

/** Cancels a WebAuthn request that is still open. */
export async function cancelPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import("@simplewebauthn/browser");
  WebAuthnAbortService.cancelCeremony();
}

/** Whether the request started automatically or by a click. */
export type StartedBy = "screen" | "button";

export type PasskeyProblem = "refused" | "cancelled" | "failed";

/** The message key for a failed passkey attempt; undefined if there is nothing to say or the error dialog shows it. */
export function passkeyProblem(error: unknown, by: StartedBy): PasskeyProblem | undefined {
  if (isApiError(error))
    return error.code === "PASSKEY_INVALID" || error.code === "CODE_INVALID" ? "refused" : undefined;
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return undefined;
  // Browsers report a cancelled request, a timeout and a missing user gesture with the same error.
  if (name === "NotAllowedError") return by === "button" ? "cancelled" : undefined;
  return "failed";
}
