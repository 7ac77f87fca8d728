import { describe, expect, test } from "bun:test";
import { loadConfig } from "../src/config/config.ts";

type Environment = Record<string, string | undefined>;

const GOOGLE = { GOOGLE_CLIENT_ID: "google-id", GOOGLE_CLIENT_SECRET: "google-pw" };
const GITHUB = { GITHUB_CLIENT_ID: "github-id", GITHUB_CLIENT_SECRET: "github-pw" };
const MICROSOFT = { MICROSOFT_CLIENT_ID: "microsoft-id", MICROSOFT_CLIENT_SECRET: "microsoft-pw" };
const TENANT = "72f988bf-86f1-41af-91ab-2d7cd011db47";

const readSecret = (path: string) => `secret of ${path}\n`;

function providersOf(environment: Environment) {
  const loaded = loadConfig(environment, readSecret);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config.providers;
}

function problemsOf(environment: Environment): string[] {
  const loaded = loadConfig(environment, readSecret);
  return loaded.ok ? [] : loaded.problems;
}

describe("loadConfig() with provider keys", () => {
  const PRESET = {
    kind: "oidc" as const,
    scopes: ["openid", "email", "profile"],
    trustedMfa: [],
    trustsEmail: false,
    staffGroup: undefined,
    singleLogout: false,
  };

  test("enables those with keys, at their own URLs", () => {
    expect(providersOf({ ...GITHUB })).toEqual([
      {
        kind: "github",
        name: "github",
        label: "GitHub",
        icon: "github",
        clientId: "github-id",
        clientSecret: "github-pw",
        authorizeUrl: "https://github.com/login/oauth/authorize",
        tokenUrl: "https://github.com/login/oauth/access_token",
        apiUrl: "https://api.github.com",
      },
    ]);
    expect(providersOf({ ...GOOGLE, ...MICROSOFT })).toEqual([
      {
        ...PRESET,
        name: "google",
        label: "Google",
        icon: "google",
        clientId: "google-id",
        clientSecret: "google-pw",
        issuer: "https://accounts.google.com",
      },
      {
        ...PRESET,
        name: "microsoft",
        label: "Microsoft",
        icon: "microsoft",
        clientId: "microsoft-id",
        clientSecret: "microsoft-pw",
        issuer: "https://login.microsoftonline.com/common/v2.0",
      },
    ]);
  });

  test.each([
    [TENANT.toUpperCase(), undefined, `https://login.microsoftonline.com/${TENANT}/v2.0`],
    ["organizations", undefined, "https://login.microsoftonline.com/organizations/v2.0"],
    [TENANT, "https://login.microsoftonline.us/{tenant}/v2.0", `https://login.microsoftonline.us/${TENANT}/v2.0`],
    [TENANT, "https://login.microsoftonline.us/{tenantid}/v2.0", `https://login.microsoftonline.us/${TENANT}/v2.0`],
  ])("finds the Microsoft tenant %s at %p", (tenant, issuer, expected) => {
    const settings = { ...MICROSOFT, MICROSOFT_TENANT: tenant, ...(issuer && { MICROSOFT_ISSUER: issuer }) };
    expect(providersOf(settings)).toMatchObject([{ issuer: expected }]);
  });

  test("accepts other URLs, http only on this machine", () => {
    for (const issuer of ["http://localhost:4002", "http://127.0.0.1:4002", "http://[::1]:4002"])
      expect(providersOf({ ...GOOGLE, GOOGLE_ISSUER: `${issuer}/` })).toMatchObject([{ issuer }]);
  });

  test("reads a secret from its file", () => {
    const environment = { GOOGLE_CLIENT_ID: "google-id", GOOGLE_CLIENT_SECRET_FILE: "/run/secrets/google" };
    expect(providersOf(environment)).toMatchObject([{ clientSecret: "secret of /run/secrets/google" }]);
  });

  const HALVES: [Environment, string][] = [...Object.entries({ ...GOOGLE, ...GITHUB, ...MICROSOFT })].map(
    ([name, value]) => {
      const missing = name.endsWith("_ID") ? name.replace(/_ID$/, "_SECRET") : name.replace(/_SECRET$/, "_ID");
      return [{ [name]: value }, `${missing} is missing: it belongs to ${name}`];
    },
  );
  test.each(HALVES)("rejects %j alone, and names what is missing", (environment, problem) => {
    expect(problemsOf(environment)).toEqual([problem]);
  });

  test("treats an empty key as unset", () => {
    expect(providersOf({ GOOGLE_CLIENT_ID: "", GOOGLE_CLIENT_SECRET: " " })).toEqual([]);
  });

  const HOSTILE: [string, string][] = [
    ["GITHUB_TOKEN_URL", "http://github.com/token"],
    ["GITHUB_TOKEN_URL", "http://localhost.example/token"],
    ["GOOGLE_ISSUER", "http://127.example"],
    ["GITHUB_AUTHORIZE_URL", "javascript:alert(1)"],
    ["GOOGLE_ISSUER", "accounts.google.com"],
    ["GITHUB_API_URL", "https://user:api-pw@api.github.com"],
    ["GITHUB_TOKEN_URL", "file:///etc/passwd"],
    ["MICROSOFT_TENANT", "contoso.onmicrosoft.com"],
    ["MICROSOFT_TENANT", "../common"],
  ];
  test.each(HOSTILE)("rejects %s=%s, without repeating it", (name, value) => {
    const problems = problemsOf({ ...GOOGLE, ...GITHUB, ...MICROSOFT, [name]: value });
    expect(problems.map((problem) => problem.split(" ")[0])).toEqual([name]);
    expect(problems.join()).not.toContain(value);
  });
});
