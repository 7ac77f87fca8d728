import { PRODUCT } from "../../../shared/product.ts";
import type { KnownPasskey, PasskeyCeremonies } from "../../factors/ceremony_ports.ts";

const TIMEOUT_MS = 5 * 60_000;
/** EdDSA, ES256 and RS256, as COSE numbers them. */
const ALGORITHMS = [-8, -7, -257];

/** Loaded on first use: its parsers of certificates take a large part of a small server's memory. */
const verifying = () => import("@simplewebauthn/server");
const reading = () => import("@simplewebauthn/server/helpers");
type Reading = Awaited<ReturnType<typeof reading>>;

/** The package throws on any invalid input. */
async function orNothing<Value>(work: () => Promise<Value | undefined>): Promise<Value | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}

/** We ask for no attestation. Certificates in one would make the package fetch the URLs in them. */
function hasCertificates({ decodeAttestationObject, isoBase64URL }: Reading, attestationObject: string): boolean {
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestationObject));
  const isSelfMade = decoded.get("fmt") === "packed" && decoded.get("attStmt").get("x5c") === undefined;
  return decoded.get("fmt") !== "none" && !isSelfMade;
}

/** Passkeys of the site in `publicUrl`; the request's Host header is not used. */
export function webauthnPasskeys(publicUrl: string): PasskeyCeremonies {
  const { origin: expectedOrigin, hostname: rpID } = new URL(publicUrl);
  const described = ({ id, transports }: KnownPasskey) => ({ id, type: "public-key", transports }) as const;
  const handleOf = (accountId: string) => Buffer.from(accountId).toString("base64url");
  const expected = { expectedOrigin, expectedRPID: rpID, requireUserVerification: false };

  return {
    creationOptions: (challenge, { accountId, email, known }) => ({
      challenge,
      timeout: TIMEOUT_MS,
      rp: { id: rpID, name: PRODUCT },
      user: { id: handleOf(accountId), name: email, displayName: email },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
      excludeCredentials: known.map(described),
      authenticatorSelection: { residentKey: "preferred", requireResidentKey: false, userVerification: "preferred" },
      attestation: "none",
    }),

    async created(response, expectedChallenge) {
      const [{ verifyRegistrationResponse }, helpers] = await Promise.all([verifying(), reading()]);
      return orNothing(async () => {
        if (hasCertificates(helpers, response.response.attestationObject)) return undefined;
        const { registrationInfo } = await verifyRegistrationResponse({
          response: { ...response, clientExtensionResults: {} },
          expectedChallenge,
          ...expected,
          supportedAlgorithmIDs: ALGORITHMS,
        });
        if (registrationInfo?.credential.id !== response.id) return undefined;
        const { id, publicKey, counter } = registrationInfo.credential;
        const { transports } = response.response;
        return { id, publicKey: helpers.isoBase64URL.fromBuffer(publicKey), counter, transports };
      });
    },

    requestOptions: (challenge, known) => ({
      challenge,
      timeout: TIMEOUT_MS,
      rpId: rpID,
      allowCredentials: known.map(described),
      userVerification: "preferred",
    }),

    async signed({ response, ...credential }, { challenge, passkey }) {
      const [{ verifyAuthenticationResponse }, { isoBase64URL }] = await Promise.all([verifying(), reading()]);
      return orNothing(async () => {
        const { userHandle, ...signature } = response;
        if (userHandle && userHandle !== handleOf(passkey.accountId)) return undefined;
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: { ...credential, response: signature, clientExtensionResults: {} },
          expectedChallenge: challenge,
          ...expected,
          credential: {
            id: passkey.id,
            publicKey: isoBase64URL.toBuffer(passkey.publicKey),
            counter: passkey.counter,
          },
        });
        return verified && credential.id === passkey.id ? { counter: authenticationInfo.newCounter } : undefined;
      });
    },
  };
}
