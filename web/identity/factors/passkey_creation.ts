import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/browser";
import { post } from "../../api/call.ts";

/** Why the browser created no passkey: cancelled or timed out, or it already has one for this account. */
export type PasskeyRefusal = { refusal: "cancelled" | "known" };

function refusalOf(error: unknown): PasskeyRefusal {
  const name = error instanceof Error ? error.name : "";
  if (name === "NotAllowedError" || name === "AbortError") return { refusal: "cancelled" };
  if (name === "InvalidStateError") return { refusal: "known" };
  throw error;
}

type Confirmed = <Value>(call: () => Promise<Value>) => Promise<Value>;

/**
 * Has the browser create a passkey and the server store it under this name. Resolves to a refusal if the browser
 * creates none.
 */
export async function createPasskey(name: string, confirmed: Confirmed) {
  const [{ startRegistration }, options] = await Promise.all([
    import("@simplewebauthn/browser"),
    confirmed(() => post("/api/factors/passkeys/options")),
  ]);
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  const response = await startRegistration({ optionsJSON }).catch(refusalOf);
  return "refusal" in response
    ? response
    : confirmed(() => post("/api/factors/passkeys", { body: { name, response } }));
}
