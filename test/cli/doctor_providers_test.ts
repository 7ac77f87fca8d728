import { afterEach, describe, expect, test } from "bun:test";
import { startOidcIssuer } from "../support/oidc_issuer.ts";
import { afterwards, bench, closeAll, findings, peer } from "./doctor_bench.ts";

afterEach(closeAll);

async function home(options: Partial<Parameters<typeof startOidcIssuer>[0]> = {}) {
  const issuer = await startOidcIssuer({ redirectUris: ["https://breachbell.example/sign-in/oidc"], ...options });
  afterwards(() => issuer.close());
  const room = bench({
    OIDC_ISSUER: issuer.issuer,
    OIDC_CLIENT_ID: issuer.clientId,
    OIDC_CLIENT_SECRET: issuer.clientSecret,
    OIDC_NAME: "Home",
  });
  return { issuer, look: async () => (await findings("providers", room)).list };
}

const keysDated = (at: number) => () =>
  Response.json({ keys: [{}] }, { headers: { Date: new Date(at).toUTCString() } });

describe("doctor's look at sign-in providers", () => {
  test("says nothing where there are none", async () => {
    expect((await findings("providers", bench())).list).toEqual([]);
  });

  test("reads the configuration and the keys of a working one", async () => {
    const { look } = await home();
    expect(await look()).toEqual(["ok: Home: its configuration and keys can be read"]);
  });

  test("says that logging out cannot end the session there", async () => {
    const { look } = await home({ metadata: { end_session_endpoint: undefined } });
    expect(await look()).toContain("warn: Home: logging out here cannot end the session there");
  });

  test.each([
    ["another issuer", { metadata: { issuer: "https://elsewhere.example" } }],
    ["no address of its keys", { metadata: { jwks_uri: undefined } }],
  ])("fails for %s", async (_, options) => {
    const { look } = await home(options);
    expect(await look()).toEqual([expect.stringMatching(/^fail: Home: its (configuration|keys) cannot be read: /)]);
  });

  test("fails for a provider that is down, without its secret", async () => {
    const { issuer, look } = await home();
    issuer.behave({ answers: { "/.well-known/openid-configuration": () => new Response("no", { status: 503 }) } });
    const list = await look();
    expect(list).toEqual([expect.stringContaining("fail: Home: its configuration cannot be read: ")]);
    expect(list.join()).not.toContain(issuer.clientSecret);
  });

  test("fails for an empty set of keys", async () => {
    const { issuer, look } = await home();
    issuer.behave({ answers: { "/jwks": () => Response.json({ keys: [] }) } });
    expect(await look()).toEqual(["fail: Home: it publishes no keys"]);
  });

  test("compares the clocks", async () => {
    const { issuer, look } = await home();
    issuer.behave({ answers: { "/jwks": keysDated(Date.now() - 15_000) } });
    expect(await look()).toContainEqual(
      expect.stringMatching(/^warn: Home's clock and this host's are 1[4-6] s apart$/),
    );
    issuer.behave({ answers: { "/jwks": keysDated(Date.now() + 120_000) } });
    expect(await look()).toContainEqual(
      expect.stringMatching(/^fail: Home's clock and this host's are 1[12]\d s apart$/),
    );
  });

  test("tries whether GitHub answers", async () => {
    const keys = { GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "github-client-secret" };
    const url = await peer({ "/": { body: {} } });
    expect((await findings("providers", bench({ ...keys, GITHUB_API_URL: url }))).list).toEqual(["ok: GitHub answers"]);
    const gone = (await findings("providers", bench({ ...keys, GITHUB_API_URL: "http://127.0.0.1:9" }))).list;
    expect(gone).toEqual([expect.stringMatching(/^fail: GitHub cannot be reached: /)]);
  });
});
