import { createEmulator, type Emulator } from "emulate";
import { type Config, loadConfig } from "../../src/config/config.ts";
import { freePort } from "./ports.ts";

export const EMULATED = ["google", "github", "microsoft"] as const;
export type EmulatedName = (typeof EMULATED)[number];

export const REDIRECT_BASE = "https://breachbell.example/sign-in";
const KEYS = { clientId: "breachbell-id", clientSecret: "breachbell-secret" };
/** The tenant that the emulated Microsoft signs for. */
export const TENANT = "9188040d-6c67-4c5b-b112-36a304b66dad";

/** The emulators' users: Alice at every provider, and at Google also a user with an unverified email. */
function seedOf(name: EmulatedName, redirectBase: string) {
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

/** The settings that lead to the emulator at this URL. */
function settingsFor(name: EmulatedName, url: string): Record<string, string> {
  const upper = name.toUpperCase();
  const keys = { [`${upper}_CLIENT_ID`]: KEYS.clientId, [`${upper}_CLIENT_SECRET`]: KEYS.clientSecret };
  switch (name) {
    case "google":
      return { ...keys, GOOGLE_ISSUER: url };
    case "microsoft":
      return { ...keys, MICROSOFT_ISSUER: `${url}/{tenant}/v2.0`, MICROSOFT_TENANT: TENANT };
    case "github":
      return {
        ...keys,
        GITHUB_AUTHORIZE_URL: `${url}/login/oauth/authorize`,
        GITHUB_TOKEN_URL: `${url}/login/oauth/access_token`,
        GITHUB_API_URL: url,
      };
  }
}

export type ProviderEmulator = {
  url: string;
  /** As environment variables. */
  environment: Record<string, string>;
  config: Config["providers"][number];
  close(): Promise<void>;
};

export async function startProviderEmulator(
  name: EmulatedName,
  redirectBase = REDIRECT_BASE,
): Promise<ProviderEmulator> {
  const emulator: Emulator = await createEmulator({
    service: name,
    port: await freePort(),
    seed: seedOf(name, redirectBase),
  });
  const environment = settingsFor(name, emulator.url);
  const loaded = loadConfig(environment, () => "");
  const [config] = loaded.ok ? loaded.config.providers : [];
  if (!config) throw new Error(`Cannot configure ${name}`);
  return { url: emulator.url, environment, config, close: () => emulator.close() };
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
