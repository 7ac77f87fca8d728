import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { connect } from "node:net";
import { HIBP_TEST_ACCOUNTS, HIBP_TEST_KEY, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

const TEST_ACCOUNT = "account-exists%40hibp-integration-tests.com";

let peer: HibpPeer;

beforeEach(async () => {
  peer = await startHibpPeer({ strangers: 0 });
});

afterEach(() => peer.stop());

async function ask(path: string, headers: Record<string, string> = {}, init: RequestInit = {}) {
  const response = await fetch(peer.url + path, {
    ...init,
    headers: { "user-agent": "Test/1", "hibp-api-key": peer.apiKey, ...headers },
  });
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
const names = (body: { Name: string }[]) => body.map(({ Name }) => Name);
const post = (path: string, body: string) => ask(path, {}, { method: "POST", body });

/** A request sent byte for byte, as no HTTP client would send it. */
function rawRequest(text: string): Promise<string> {
  const { port } = new URL(peer.url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += chunk;
    });
    socket.on("close", () => resolve(answer));
    socket.on("error", reject);
  });
}

describe("the HIBP peer validates requests", () => {
  test("12.1 without a user agent every path is a 403", async () => {
    for (const path of [
      "breaches",
      "latestbreach",
      "breach/Adobe",
      "breachedaccount/a",
      "breachedaccount/range/567159",
      "nonsense",
    ]) {
      const answer = await rawRequest(`GET /api/v3/${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
      expect(answer).toStartWith("HTTP/1.1 403");
      expect(answer).toContain("API request must include a user agent");
    }
  });

  test("12.2 each kind of invalid key has its own 401, and the test key only works for the test accounts", async () => {
    const path = `/breachedaccount/${TEST_ACCOUNT}`;
    const faults = { "": "missing", abc: "improperly formed", ["f".repeat(32)]: "invalid" };
    for (const [key, fault] of Object.entries(faults)) {
      const message = `Access denied due to ${fault} hibp-api-key.`;
      expect(await ask(path, { "hibp-api-key": key })).toEqual({ status: 401, body: { statusCode: 401, message } });
    }
    expect(await ask(path, { "hibp-api-key": HIBP_TEST_KEY })).toMatchObject({ status: 200 });
    expect(await ask("/breachedaccount/ada%40example.com", { "hibp-api-key": HIBP_TEST_KEY })).toMatchObject({
      status: 401,
    });
  });

  test("12.3 header names are case-insensitive, and keyless calls ignore a key", async () => {
    const head = `Host: x\r\nUSER-AGENT: T\r\nHIBP-API-KEY: ${peer.apiKey}\r\nConnection: close\r\n\r\n`;
    expect(await rawRequest(`GET /api/v3/breachedaccount/${TEST_ACCOUNT} HTTP/1.1\r\n${head}`)).toStartWith(
      "HTTP/1.1 200",
    );
    expect(await ask("/latestbreach", { "hibp-api-key": "nonsense" })).toMatchObject({ status: 200 });
  });

  test("12.4 the account is decoded once, trimmed and folded, and a plus is a plus", async () => {
    peer.addAccount("user+tag/x y@example.com", ["Adobe"]);
    for (const path of ["user%2Btag%2Fx%20y%40example.com", "%20USER+tag%2Fx%20y%40Example.com%20"]) {
      expect(await ask(`/breachedaccount/${path}`)).toMatchObject({ status: 200 });
    }
    expect(await ask("/breachedaccount/user%20tag%2Fx%20y%40example.com")).toMatchObject({ status: 404 });
    expect(await ask("/breachedaccount/user%2Btag/x%20y%40example.com")).toMatchObject({ status: 404 });
  });

  test("12.5 an empty account and a prefix that is not six hex digits are rejected", async () => {
    for (const path of ["/breachedaccount/", "/breachedaccount/%20"])
      expect(await ask(path)).toMatchObject({ status: 400 });
    for (const prefix of ["56715", "5671599", "56715g", ""]) {
      expect(await ask(`/breachedaccount/range/${prefix}`)).toEqual({ status: 400, body: "Invalid hex prefix" });
    }
    peer.addAccount("test@example.com", ["Adobe"]);
    for (const prefix of ["767e74", "767E74"])
      expect(await ask(`/breachedaccount/range/${prefix}`)).toMatchObject({ status: 404 });
    expect(await ask("/breachedaccount/range/567159")).toMatchObject({ status: 200 });
  });

  test("12.6 unknown parameters are ignored, and parameter names are case-insensitive", async () => {
    const { body } = await ask(`/breachedaccount/${TEST_ACCOUNT}?TRUNCATERESPONSE=false&colour=blue`);
    expect(body[0]).toMatchObject({ Name: "Adobe", IsVerified: true });
  });
});

describe("the HIBP peer answers", () => {
  test("12.7 an account: truncated or in full, by domain, with or without unverified breaches", async () => {
    peer.addAccount("ada@example.com", ["Adobe", "Xiaomi"]);
    const path = "/breachedaccount/ada%40example.com";
    expect((await ask(path)).body).toEqual([{ Name: "Adobe" }, { Name: "Xiaomi" }]);
    expect((await ask(`${path}?truncateResponse=false`)).body[0].DataClasses).toContain("Passwords");
    expect((await ask(`${path}?domain=adobe.com`)).body).toEqual([{ Name: "Adobe" }]);
    expect(await ask(`${path}?domain=elsewhere.com`)).toMatchObject({ status: 404 });
    expect((await ask(`${path}?includeUnverified=false`)).body).toEqual([{ Name: "Adobe" }]);
    expect(
      await ask("/breachedaccount/unverified-breach%40hibp-integration-tests.com?IncludeUnverified=false"),
    ).toMatchObject({ status: 404 });
  });

  test("12.8 12.9 12.14 the test accounts: what is returned, and no sensitive, retired, inactive or opted-out entry", async () => {
    peer.addAccount("ada@example.com", ["AshleyMadison", "VTech"], { inactive: ["Adobe"] });
    const accounts = [...HIBP_TEST_ACCOUNTS, { address: "ada@example.com", found: [], pastes: 0, optedOut: [] }];
    for (const { address, found, pastes = 0, optedOut = [] } of accounts) {
      const account = await ask(`/breachedaccount/${encodeURIComponent(address)}`);
      const hash = createHash("sha1").update(address).digest("hex").toUpperCase();
      const range = await ask(`/breachedaccount/range/${hash.slice(0, 6)}`);
      const paste = await ask(`/pasteaccount/${encodeURIComponent(address)}`);
      expect([address, account.status === 404 ? [] : names(account.body)]).toEqual([address, found]);
      if (found.length > 0) expect(range.body).toEqual([{ hashSuffix: hash.slice(6), websites: found }]);
      else expect(range).toEqual({ status: 404, body: "There are no hashes beginning with that prefix" });
      expect([address, paste.status]).toEqual([
        address,
        pastes > 0 && !optedOut.some((from) => from === "pastes") ? 200 : 404,
      ]);
    }
    expect(names((await ask("/breaches")).body)).toContain("AshleyMadison");
  });

  test("12.10 the catalogue: all of it, of a domain, of no domain, spam lists", async () => {
    expect((await ask("/breaches")).body).toHaveLength(920);
    const of = async (query: string) => names((await ask(`/breaches?${query}`)).body);
    expect(await of("domain=adobe.com")).toEqual(["Adobe"]);
    expect(await of("Domain=xiaomi.cn")).toEqual(["Xiaomi"]);
    expect(await of("domain=parapa.mail.ru")).toEqual(["Parapa"]);
    expect(await of("domain=nowhere.example")).toEqual([]);
    expect(await of("isSpamList=true")).toHaveLength(16);
    expect(await of("isSpamList=false")).toHaveLength(904);
  });

  test("12.11 12.12 12.13 one breach, the newest breach, the data classes", async () => {
    for (const name of ["Adobe", "aDOBE"]) expect((await ask(`/breach/${name}`)).body.Name).toBe("Adobe");
    expect(await ask("/breach/Nothing")).toMatchObject({ status: 404 });
    peer.publish({ Name: "Adobe/2026" });
    expect((await ask("/breach/Adobe%2F2026")).body.Name).toBe("Adobe/2026");
    expect((await ask("/latestbreach")).body.Name).toBe("Adobe/2026");
    const { body } = await ask("/dataclasses");
    expect(body).toEqual(body.toSorted((a: string, b: string) => a.toLowerCase().localeCompare(b.toLowerCase())));
    expect(body).toContain("Driver's licenses");
  });

  test("12.14 pastes as they are stored, with a title only if there is one", async () => {
    const pastes = [
      { Source: "Pastebin", Id: "8Q0BvKD8", Title: "syslog", Date: "2014-03-04T19:14:54Z", EmailCount: 139 },
      { Source: "AdHocUrl", Id: "http://paste.example/1", Date: null, EmailCount: 30 },
    ];
    peer.addAccount("ada@example.com", [], { pastes });
    expect((await ask("/pasteaccount/ada%40example.com")).body).toEqual(pastes);
    expect(await ask("/pasteaccount/ada")).toMatchObject({ status: 400 });
  });

  test("12.15 12.16 a range requires the plan, and the plan is returned", async () => {
    expect((await ask("/subscription/status")).body).toMatchObject({
      IncludesKAnon: true,
      DomainSearchMaxBreachedAccounts: null,
    });
    peer.subscription({ IncludesKAnon: false, SubscriptionName: "Pwned 1" });
    expect((await ask("/subscription/status")).body).toMatchObject({
      IncludesKAnon: false,
      SubscriptionName: "Pwned 1",
    });
    const body = "Your HIBP API key does not have access to this resource";
    expect(await ask("/breachedaccount/range/567159")).toEqual({ status: 403, body });
    peer.subscription(undefined);
    const message = "No active subscription found.";
    expect(await ask("/subscription/status")).toEqual({ status: 404, body: { statusCode: 404, message } });
  });

  test("12.17 a verified domain: its aliases with sensitive breaches, and its stealer logs", async () => {
    peer.addAccount("ada@example.com", ["Adobe", "AshleyMadison"], { websites: ["shop.example"] });
    expect(await ask("/breacheddomain/example.com")).toMatchObject({ status: 403 });
    expect(await ask("/stealerlogsbyemail/ada%40example.com")).toMatchObject({ status: 403 });
    for (const domain of ["example.com", "example.org", "shop.example"]) peer.verifyDomain(domain);
    expect((await ask("/breacheddomain/example.com")).body).toEqual({ ada: ["Adobe", "AshleyMadison"] });
    expect(await ask("/breacheddomain/example.org")).toMatchObject({ status: 404 });
    expect((await ask("/stealerlogsbyemail/ada%40example.com")).body).toEqual(["shop.example"]);
    expect((await ask("/stealerlogsbyemaildomain/example.com")).body).toEqual({ ada: ["shop.example"] });
    expect((await ask("/stealerlogsbywebsitedomain/shop.example")).body).toEqual(["ada@example.com"]);
    expect((await ask("/subscribeddomains")).body[0]).toMatchObject({ DomainName: "example.com", PwnCount: null });
    peer.subscription({ IncludesStealerLogs: false });
    expect(await ask("/stealerlogsbyemail/ada%40example.com")).toMatchObject({ status: 403 });
  });

  test("12.18 verifying a domain", async () => {
    const step = (name: string, body: unknown) => post(`/domainverification/${name}`, JSON.stringify(body));
    expect((await step("generatednstoken", { DomainName: "example.com" })).body.txtRecordValue).toStartWith(
      "have-i-been-pwned",
    );
    expect(await post("/domainverification/sendemail", "{")).toEqual({
      status: 400,
      body: { message: "Invalid JSON" },
    });
    expect(await step("sendemail", { DomainName: "?" })).toMatchObject({ status: 400 });
    const message = "No emailAlias field was passed in the request body.";
    expect(await step("sendemail", { DomainName: "example.com" })).toEqual({ status: 400, body: { message } });
    expect(await step("sendemail", { DomainName: "example.com", EmailAlias: "security" })).toEqual({
      status: 200,
      body: "",
    });
    expect(await step("verifydnstoken", { DomainName: "example.com" })).toEqual({ status: 200, body: "" });
    expect((await step("verifydnstoken", { DomainName: "example.com" })).body).toEqual({
      message: "Domain has already been verified.",
    });
    peer.subscription({ MaxBreachedDomains: 0 });
    expect(await step("generatednstoken", { DomainName: "example.org" })).toMatchObject({ status: 403 });
  });

  test("12.19 more calls in a minute than the plan allows are a 429 until the next minute", async () => {
    let now = new Date("2026-11-20T12:00:50.200Z");
    await peer.stop();
    peer = await startHibpPeer({ now: () => now, subscription: { Rpm: 2 } });
    for (const status of [200, 200, 429]) expect(await ask("/subscription/status")).toMatchObject({ status });
    expect(await ask("/breaches")).toMatchObject({ status: 200 });
    now = new Date("2026-11-20T12:01:00Z");
    expect(await ask("/subscription/status")).toMatchObject({ status: 200 });
  });
});
