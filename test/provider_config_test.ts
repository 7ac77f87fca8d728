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
  test("enables those with keys, at their own URLs", () => {
    expect(providersOf({ ...GITHUB })).toEqual([
      {
        name: "github",
        clientId: "github-id",
        clientSecret: "github-pw",
        authorizeUrl: "https://github.com/login/oauth/authorize",
        tokenUrl: "https://github.com/login/oauth/access_token",
        issuer: "https://api.github.com",
      },
    ]);
    expect(providersOf({ ...GOOGLE, ...MICROSOFT })).toEqual([
      {
        name: "google",
        clientId: "google-id",
        clientSecret: "google-pw",
        authorizeUrl: "https://accounts.google.com/o/oauth2/v2/auth",
        tokenUrl: "https://oauth2.googleapis.com/token",
        issuer: "https://accounts.google.com",
      },
      {
        name: "microsoft",
        clientId: "microsoft-id",
        clientSecret: "microsoft-pw",
        authorizeUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/authorize",
        tokenUrl: "https://login.microsoftonline.com/common/oauth2/v2.0/token",
        issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
      },
    ]);
  });

  test("accepts one Microsoft tenant, and then only tokens signed by it", () => {
    expect(providersOf({ ...MICROSOFT, MICROSOFT_TENANT: TENANT.toUpperCase() })).toMatchObject([
      {
        authorizeUrl: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/authorize`,
        tokenUrl: `https://login.microsoftonline.com/${TENANT}/oauth2/v2.0/token`,
        issuer: `https://login.microsoftonline.com/${TENANT}/v2.0`,
      },
    ]);
    expect(providersOf({ ...MICROSOFT, MICROSOFT_TENANT: "organizations" })).toMatchObject([
      {
        tokenUrl: "https://login.microsoftonline.com/organizations/oauth2/v2.0/token",
        issuer: "https://login.microsoftonline.com/{tenantid}/v2.0",
      },
    ]);
  });

  test("accepts other URLs, http only on this machine", () => {
    const addresses = {
      GOOGLE_AUTHORIZE_URL: "http://localhost:4002/o/oauth2/v2/auth",
      GOOGLE_TOKEN_URL: "http://127.0.0.1:4002/oauth2/token",
      GOOGLE_ISSUER: "http://[::1]:4002/",
    };
    expect(providersOf({ ...GOOGLE, ...addresses })).toMatchObject([
      {
        authorizeUrl: "http://localhost:4002/o/oauth2/v2/auth",
        tokenUrl: "http://127.0.0.1:4002/oauth2/token",
        issuer: "http://[::1]:4002",
      },
    ]);
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
    ["GOOGLE_TOKEN_URL", "http://oauth2.googleapis.com/token"],
    ["GOOGLE_TOKEN_URL", "http://localhost.example/token"],
    ["GOOGLE_TOKEN_URL", "http://127.example/token"],
    ["GOOGLE_AUTHORIZE_URL", "javascript:alert(1)"],
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
