import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isoCBOR } from "@simplewebauthn/server/helpers";
import type { PasskeyCreationOptions, PasskeyRequestOptions } from "../../src/identity/factors/ceremony_ports.ts";

/** False data that a browser or authenticator may send. */
export type Lies = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  type?: string;
  counter?: number;
  userHandle?: string;
  /** Flags of the authenticator data: user present 1, user verified 4. */
  flags?: number;
  /** The attestation over the data to be signed; `own` is self-attestation. */
  attestation?: (data: Buffer, own: KeyObject) => { fmt: string; attStmt: Map<string, unknown> };
};

const [PRESENT, VERIFIED, WITH_CREDENTIAL] = [1, 4, 64];
const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest();
const base64url = (data: Uint8Array) => Buffer.from(data).toString("base64url");

function bigEndian(value: number, bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntBE(value, 0, bytes);
  return buffer;
}

/**
 * A software passkey authenticator and its browser at `origin`: real P-256 keys, real CBOR. Its signature counter
 * starts at 1, or is absent.
 */
export function softwareAuthenticator({ origin = "https://breachbell.example", counts = true } = {}) {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const coordinates = [x, y].map((coordinate) => new Uint8Array(Buffer.from(coordinate, "base64url")));
  const cose = isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, coordinates[0] ?? new Uint8Array()],
      [-3, coordinates[1] ?? new Uint8Array()],
    ]),
  );
  const rawId = randomBytes(32);
  const id = base64url(rawId);
  let uses = 0;

  function clientData(type: string, challenge: string, lies: Lies): Buffer {
    const said = { type, challenge, origin, crossOrigin: false };
    const { type: otherType = type, challenge: other = challenge, origin: elsewhere = origin } = lies;
    return Buffer.from(JSON.stringify({ ...said, type: otherType, challenge: other, origin: elsewhere }));
  }
  function authenticatorData(rpId: string, lies: Lies, attested?: Uint8Array): Uint8Array {
    if (counts) uses++;
    const { flags = PRESENT | VERIFIED, counter = uses } = lies;
    const head = [sha256(lies.rpId ?? rpId), bigEndian(flags | (attested ? WITH_CREDENTIAL : 0), 1)];
    return new Uint8Array(Buffer.concat([...head, bigEndian(counter, 4), attested ?? Buffer.alloc(0)]));
  }

  return {
    id,
    /** `navigator.credentials.create()`. */
    create(options: PasskeyCreationOptions, lies: Lies = {}) {
      const attested = Buffer.concat([Buffer.alloc(16), bigEndian(rawId.length, 2), rawId, cose]);
      const authData = authenticatorData(options.rp.id, lies, attested);
      const said = clientData("webauthn.create", options.challenge, lies);
      const none = { fmt: "none", attStmt: new Map<string, unknown>() };
      const { fmt, attStmt } = lies.attestation?.(Buffer.concat([authData, sha256(said)]), privateKey) ?? none;
      const attestation = new Map<string, unknown>([
        ["fmt", fmt],
        ["attStmt", attStmt],
        ["authData", authData],
      ]);
      return {
        id,
        rawId: id,
        type: "public-key" as const,
        response: {
          clientDataJSON: base64url(said),
          attestationObject: base64url(isoCBOR.encode(attestation as Parameters<typeof isoCBOR.encode>[0])),
          transports: ["internal"],
        },
      };
    },

    /** `navigator.credentials.get()`. */
    get(options: Pick<PasskeyRequestOptions, "challenge" | "rpId">, lies: Lies = {}) {
      const authData = authenticatorData(options.rpId, lies);
      const said = clientData("webauthn.get", options.challenge, lies);
      const signature = sign("sha256", Buffer.concat([authData, sha256(said)]), privateKey);
      return {
        id,
        rawId: id,
        type: "public-key" as const,
        response: {
          clientDataJSON: base64url(said),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
          ...(lies.userHandle !== undefined && { userHandle: lies.userHandle }),
        },
      };
    },
  };
}
export type SoftwareAuthenticator = ReturnType<typeof softwareAuthenticator>;
