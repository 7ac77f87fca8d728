import { createEmulator, type Emulator } from "emulate";
import type { ProviderSettings } from "../../src/identity/adapters/providers/arctic_provider.ts";
import type { ProviderName } from "../../src/identity/factors/factor_ports.ts";

export const REDIRECT_BASE = "https://breachbell.example/sign-in";
const KEYS = { clientId: "breachbell-id", clientSecret: "breachbell-secret" };
export const TENANT = "5c6a6a9c-92f0-4a0b-9b3a-1f0d2c3b4a59";

/** The emulators' users: Alice at every provider, and at Google also a user with an unverified email. */
function seedOf(name: ProviderName, redirectBase: string) {
  const client = {
    client_id: KEYS.clientId,
    client_secret: KEYS.clientSecret,
    name: "Breachbell",
    redirect_uris: [`${redirectBase}/${name}`],
  };
  switch (name) {
    case "google": {
      const alice = { email: "alice@example.com", name: "Alice Meyer" };
      const mallory = { email: "bob@example.com", name: "Mallory", email_verified: false };
      return { google: { users: [alice, mallory], oauth_clients: [client] } };
    }
    case "github":
      return {
        github: { users: [{ login: "alice", name: "Alice Meyer", email: "alice@example.com" }], oauth_apps: [client] },
      };
    case "microsoft": {
      const alice = { email: "alice@example.com", name: "Alice Meyer", tenant_id: TENANT };
      return { microsoft: { users: [alice], oauth_clients: [client] } };
    }
  }
}

const PATHS = {
  google: ["/o/oauth2/v2/auth", "/oauth2/token", ""],
  github: ["/login/oauth/authorize", "/login/oauth/access_token", ""],
  microsoft: ["/oauth2/v2.0/authorize", "/oauth2/v2.0/token", "/{tenantid}/v2.0"],
} as const;

export type ProviderEmulator = { settings: ProviderSettings; close(): Promise<void> };

/** A free port on this machine. */
function freePort(): number {
  const probe = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response() });
  const { port } = probe;
  void probe.stop(true);
  return Number(port);
}

export async function startProviderEmulator(
  name: ProviderName,
  redirectBase = REDIRECT_BASE,
): Promise<ProviderEmulator> {
  const emulator: Emulator = await createEmulator({
    service: name,
    port: freePort(),
    seed: seedOf(name, redirectBase),
  });
  const [authorizeUrl, tokenUrl, issuer] = PATHS[name].map((path) => emulator.url + path) as [string, string, string];
  return { settings: { name, ...KEYS, authorizeUrl, tokenUrl, issuer }, close: () => emulator.close() };
}

/** Opens the provider's page and clicks the button for `who`; returns what the browser is redirected with. */
export async function consent(url: URL, who: string): Promise<{ code: string; state: string; at: string }> {
  const page = await (await fetch(url)).text();
  const forms = [...page.matchAll(/<form[^>]*action="([^"]+)"[^>]*>([\s\S]*?)<\/form>/g)];
  const [, action = "", fields = ""] = forms.find(([form]) => form.includes(`value="${who}"`)) ?? [];
  if (action === "") throw new Error(`Cannot find the button of "${who}": ${page.slice(0, 2000)}`);
  const body = new URLSearchParams();
  for (const [, key = "", value = ""] of fields.matchAll(/name="([^"]+)" value="([^"]*)"/g))
    body.set(key, value.replaceAll("&amp;", "&"));
  const answer = await fetch(new URL(action, url), { method: "POST", body, redirect: "manual" });
  const back = new URL(answer.headers.get("Location") ?? "");
  const { code = "", state = "" } = Object.fromEntries(back.searchParams);
  return { code, state, at: back.origin + back.pathname };
}
