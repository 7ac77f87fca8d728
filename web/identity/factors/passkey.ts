import type { PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/browser";
import { api, isApiError } from "../../api/api.ts";

export function passkeysSupported(): boolean {
  return typeof PublicKeyCredential === "function";
}

/** Asks the browser for a passkey of the account and has the server check it. */
export async function signInByPasskey() {
  const [{ startAuthentication }, options] = await Promise.all([
    import("@simplewebauthn/browser"),
    api.passkeyOptions(),
  ]);
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON;
  return api.verifyPasskey({ response: await startAuthentication({ optionsJSON }) });
}

/** Takes back a question of the browser that is still open. */
export async function cancelPasskey(): Promise<void> {
  const { WebAuthnAbortService } = await import("@simplewebauthn/browser");
  WebAuthnAbortService.cancelCeremony();
}

/** Who started it: the screen by itself, or somebody who pressed the button. */
export type StartedBy = "screen" | "button";

export type PasskeyProblem = "refused" | "cancelled" | "failed";

/** What to say of a failed attempt where the passkey is the matter; undefined: nothing, or the modal's to tell. */
export function passkeyProblem(error: unknown, by: StartedBy): PasskeyProblem | undefined {
  if (isApiError(error))
    return error.code === "PASSKEY_INVALID" || error.code === "CODE_INVALID" ? "refused" : undefined;
  const name = error instanceof Error ? error.name : "";
  if (name === "AbortError") return undefined;
  // Browsers say the same of a cancelled question, one that ran out of time, and one they do not put without a click.
  if (name === "NotAllowedError") return by === "button" ? "cancelled" : undefined;
  return "failed";
}
