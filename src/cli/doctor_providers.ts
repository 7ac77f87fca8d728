import type { OidcConfig } from "../config/oidc_config.ts";
import type { GitHubConfig } from "../config/provider_config.ts";
import { discover } from "../identity/adapters/providers/oidc_discovery.ts";
import { failureOf } from "../identity/adapters/providers/provider_failures.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, fail, field, finding, ok, warn } from "./doctor_finding.ts";

/** Beyond it, ID tokens and logout tokens are refused. */
const TOLERATED_SECONDS = 30;
/** The peer's clock is known to the second only, and the answer takes its time. */
const NOTABLE_SECONDS = 5;

/** How far the clocks of a peer and this host are apart. */
function clock(label: string, theirs: Date | undefined): Finding[] {
  if (theirs === undefined || Number.isNaN(theirs.getTime())) return [];
  const seconds = Math.round(Math.abs(Date.now() - theirs.getTime()) / 1000);
  if (seconds < NOTABLE_SECONDS) return [];
  const says = `${label}'s clock and this host's are ${seconds} s apart`;
  const mend = `Synchronise both clocks: beyond ${TOLERATED_SECONDS} s, logins are refused`;
  return [finding(seconds > TOLERATED_SECONDS ? "fail" : "warn", says, mend)];
}

async function openIdConnect(provider: OidcConfig): Promise<Finding[]> {
  const { label, issuer, singleLogout } = provider;
  const failed = (says: string, mend: string) => [fail(`${label}: ${says}`, mend)];
  let metadata: ReturnType<Awaited<ReturnType<typeof discover>>["serverMetadata"]>;
  try {
    metadata = (await discover(provider)).serverMetadata();
  } catch (error) {
    let why = "it answers with an error";
    failureOf(error, (reason) => {
      why = reason;
    });
    const url = `${issuer.replace(/\/+$/, "")}/.well-known/openid-configuration`;
    return failed(
      `its configuration cannot be read: ${why}`,
      `Check that this machine reaches ${url} and that it names this very issuer`,
    );
  }
  const { jwks_uri: uri, end_session_endpoint: logout } = metadata;
  const keys = uri === undefined ? { trouble: "it publishes no address of them" } : await ask(uri);
  if ("trouble" in keys)
    return failed(`its keys cannot be read: ${keys.trouble}`, "Check that this machine reaches it");
  const published = field(keys.body, "keys");
  if (!Array.isArray(published) || published.length === 0)
    return failed("it publishes no keys", "Look at its jwks_uri; every login is refused until it has keys");
  const cannotEnd = warn(
    `${label}: logging out here cannot end the session there`,
    "Enable logout for this client there, or set OIDC_LOGOUT=off",
  );
  return [
    ok(`${label}: its configuration and keys can be read`),
    ...(singleLogout && logout === undefined ? [cannotEnd] : []),
    ...clock(label, keys.date),
  ];
}

async function gitHub({ label, apiUrl }: GitHubConfig): Promise<Finding[]> {
  const answer = await ask(apiUrl);
  if ("trouble" in answer) return [fail(`${label} cannot be reached: ${answer.trouble}`, "Look at GITHUB_API_URL")];
  return [ok(`${label} answers`)];
}

/** Reads each provider's configuration and keys, as a login does, and compares the clocks. */
export async function checkProviders({ config }: DatabaseContext): Promise<Finding[]> {
  const found = await Promise.all(
    config.providers.map((provider) => (provider.kind === "oidc" ? openIdConnect(provider) : gitHub(provider))),
  );
  return found.flat();
}
