import { describe, expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";
import { settingsOf } from "../src/config/settings.ts";

type Environment = Record<string, string | undefined>;

const HOME = {
  OIDC_ISSUER: "https://id.example.org/realms/home",
  OIDC_CLIENT_ID: "breachbell",
  OIDC_CLIENT_SECRET: "home-pw",
};
const SCHOOL = {
  OIDC_2_ISSUER: "https://login.school.example/",
  OIDC_2_CLIENT_ID: "breachbell",
  OIDC_2_CLIENT_SECRET_FILE: "/run/secrets/school",
};

const load = (environment: Environment) => loadConfig(environment, (path) => `secret of ${path}\n`);
function configOf(environment: Environment) {
  const loaded = load(environment);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config;
}
function problemsOf(environment: Environment): string[] {
  const loaded = load(environment);
  return loaded.ok ? [] : loaded.problems;
}

describe("loadConfig() with OpenID Connect providers", () => {
  test("enables one by its issuer, named after its host", () => {
    expect(configOf(HOME)).toMatchObject({
      providersOnly: false,
      providers: [
        {
          kind: "oidc",
          name: "oidc",
          label: "id.example.org",
          icon: "key",
          issuer: "https://id.example.org/realms/home",
          clientId: "breachbell",
          clientSecret: "home-pw",
          scopes: ["openid", "email", "profile"],
          trustedMfa: [],
          trustsEmail: false,
          staffGroup: undefined,
          singleLogout: true,
        },
      ],
    });
  });

  test("keeps several apart, before those with a name of their own", () => {
    const google = { GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "g" };
    const third = { OIDC_3_ISSUER: "https://third.example", OIDC_3_CLIENT_ID: "c", OIDC_3_CLIENT_SECRET: "c" };
    const { providers } = configOf({ ...google, ...third, ...SCHOOL, ...HOME });
    expect(providers.map(({ name }) => name)).toEqual(["oidc", "oidc-2", "oidc-3", "google"]);
    // The last slash belongs to the issuer.
    expect(providers[1]).toMatchObject({
      issuer: "https://login.school.example/",
      clientSecret: "secret of /run/secrets/school",
    });
  });

  test("reads everything that can be said of one", () => {
    const settings = {
      OIDC_NAME: "Our login",
      OIDC_ICON: "building",
      OIDC_SCOPES: "email groups",
      OIDC_TRUST_MFA: "mfa, otp",
      OIDC_TRUST_EMAIL: "on",
      OIDC_GROUPS_CLAIM: "roles",
      OIDC_STAFF_GROUP: "Breachbell operators",
      OIDC_LOGOUT: "off",
      OIDC_ONLY: "on",
    };
    expect(configOf({ ...HOME, ...settings })).toMatchObject({
      providersOnly: true,
      providers: [
        {
          label: "Our login",
          icon: "building",
          scopes: ["openid", "email", "groups"],
          trustedMfa: ["mfa", "otp"],
          trustsEmail: true,
          staffGroup: { claim: "roles", group: "Breachbell operators" },
          singleLogout: false,
        },
      ],
    });
  });

  test.each([
    [{ OIDC_ISSUER: HOME.OIDC_ISSUER }, ["OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"]],
    [{ OIDC_CLIENT_ID: "c", OIDC_CLIENT_SECRET: "s" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_3_CLIENT_ID: "c" }, ["OIDC_3_ISSUER", "OIDC_3_CLIENT_SECRET"]],
    [{ OIDC_ONLY: "on" }, ["OIDC_ISSUER"]],
    [{ OIDC_ONLY: "on", GOOGLE_CLIENT_ID: "g", GOOGLE_CLIENT_SECRET: "g" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_2_ISSUER: HOME.OIDC_ISSUER, OIDC_2_CLIENT_ID: "c", OIDC_2_CLIENT_SECRET: "s" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_ISSUER: "http://id.example.org" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_ISSUER: "https://user:pw@id.example.org" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_ISSUER: "id.example.org" }, ["OIDC_ISSUER"]],
    [{ ...HOME, OIDC_ICON: "https://id.example.org/logo.png" }, ["OIDC_ICON"]],
    [{ ...HOME, OIDC_NAME: "x".repeat(41) }, ["OIDC_NAME"]],
    [{ ...HOME, OIDC_TRUST_EMAIL: "yes" }, ["OIDC_TRUST_EMAIL"]],
    [{ ...HOME, OIDC_ONLY: "true" }, ["OIDC_ONLY"]],
  ])("rejects %j, and names what is wrong", (environment, names) => {
    const problems = problemsOf(environment);
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual(names);
    expect(problems.join()).not.toContain("pw");
  });

  test("never shows a client secret", () => {
    const shown = JSON.stringify(settingsOf({ ...HOME, ...SCHOOL }, configOf({ ...HOME, ...SCHOOL })));
    expect(shown).not.toContain("home-pw");
    expect(shown).not.toContain("/run/secrets");
  });
});
