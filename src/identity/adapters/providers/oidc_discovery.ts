import { createRemoteJWKSet, customFetch as customKeyFetch } from "jose";
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type Configuration,
  customFetch,
  discovery,
} from "openid-client";
import { boundedFetch } from "./provider_fetch.ts";

/** An issuer, and how it knows us. */
export type OidcClient = { issuer: string; clientId: string; clientSecret: string };

export type KeySet = ReturnType<typeof createRemoteJWKSet>;
export type Discovered = { configuration: Configuration; keys: KeySet };

const HOUR_MS = 3_600_000;
/** How long a failed discovery is not repeated; a known configuration stays in use meanwhile. */
const RETRY_MS = 10_000;
/** At most one unknown key id in this time leads to another look at the provider's keys. */
const KEYS_AGAIN_MS = 30_000;
const CALL_MS = 5000;

/** Signatures by a public key: neither `none` nor by the client secret, which others may know. */
export const ALGORITHMS = [
  ...["RS256", "RS384", "RS512", "PS256", "PS384", "PS512"],
  ...["ES256", "ES384", "ES512", "EdDSA", "Ed25519"],
];

/** The client secret goes into the header or the body, whichever the provider names first; by default into the header. */
function authenticationBy(secret: string): ClientAuth {
  const ways = { client_secret_basic: ClientSecretBasic(secret), client_secret_post: ClientSecretPost(secret) };
  return (server, ...rest) => {
    const named = server.token_endpoint_auth_methods_supported?.find((name) => Object.hasOwn(ways, name));
    return ways[(named ?? "client_secret_basic") as keyof typeof ways](server, ...rest);
  };
}

/** Reads the provider's configuration once. Throws the errors of openid-client. */
export async function discover({ issuer, clientId, clientSecret }: OidcClient): Promise<Configuration> {
  const url = new URL(issuer);
  return discovery(url, clientId, {}, authenticationBy(clientSecret), {
    timeout: CALL_MS / 1000,
    [customFetch]: (to, init) => boundedFetch(to, init as RequestInit),
    ...(url.protocol === "http:" && { execute: [allowInsecureRequests] }),
  });
}

/** The provider's public keys, fetched when needed. */
export function keysOf(configuration: Configuration): KeySet {
  const { jwks_uri: uri } = configuration.serverMetadata();
  if (uri === undefined) throw new Error("It publishes no keys");
  return createRemoteJWKSet(new URL(uri), {
    timeoutDuration: CALL_MS,
    cooldownDuration: KEYS_AGAIN_MS,
    [customKeyFetch]: (to, init) => boundedFetch(to, init),
  });
}

/**
 * The provider's configuration and keys, read at the first use and again every hour. While it cannot be read, what is known
 * stays in use.
 */
export function discovered(client: OidcClient, clock: () => number = () => performance.now()) {
  let known: (Discovered & { at: number }) | undefined;
  let failed: { error: unknown; at: number } | undefined;
  let asking: Promise<Discovered> | undefined;

  async function read(): Promise<Discovered> {
    try {
      const configuration = await discover(client);
      const isSame = known?.configuration.serverMetadata().jwks_uri === configuration.serverMetadata().jwks_uri;
      const keys = known && isSame ? known.keys : keysOf(configuration);
      known = { configuration, keys, at: clock() };
      failed = undefined;
      return known;
    } catch (error) {
      failed = { error, at: clock() };
      if (known) return known;
      throw error;
    } finally {
      asking = undefined;
    }
  }

  return async (): Promise<Discovered> => {
    if (known && clock() - known.at < HOUR_MS) return known;
    if (failed && clock() - failed.at < RETRY_MS) {
      if (known) return known;
      throw failed.error;
    }
    asking ??= read();
    return asking;
  };
}
