import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { DomainLookups } from "../../src/breaches/ports.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { type HibpFailure, type HibpPeer, startHibpPeer } from "../support/hibp_peer.ts";

const DOMAIN = "example.org";
const STEPS = ["startVerification", "finishVerification"] as const;
let peer: HibpPeer;
beforeEach(async () => {
  peer = await startHibpPeer();
});
afterEach(() => peer.stop());

function domainsOn(options: Parameters<typeof feedOn>[1] = {}): Required<DomainLookups> {
  const { domains } = feedOn(peer, options);
  if (!domains?.startVerification || !domains.finishVerification) throw new Error("HIBP verifies domains");
  return domains as Required<DomainLookups>;
}

describe("HIBP's verification of a domain", () => {
  test("starts with a record to publish, and ends when HIBP has found it", async () => {
    const domains = domainsOn();
    const value = expect.stringMatching(/^have-i-been-pwned-verification=\S+$/);
    expect(await domains.startVerification(DOMAIN)).toEqual({ kind: "record", value });
    peer.withholdRecord(DOMAIN);
    expect(await domains.finishVerification(DOMAIN)).toEqual({ kind: "missing" });
    expect(await domains.breachesOf(DOMAIN)).toEqual({ kind: "unverified" });
    expect(await domains.finishVerification("example.net")).toEqual({ kind: "verified" });
    expect(await domains.breachesOf("example.net")).toMatchObject({ kind: "found" });
    const [, first] = peer.requests;
    expect(first).toMatchObject({
      method: "POST",
      path: "/api/v3/domainverification/generatednstoken",
      body: '{"DomainName":"example.org"}',
      headers: { "content-type": "application/json", "hibp-api-key": peer.apiKey },
    });
    expect(peer.requests[2]).toMatchObject({ path: "/api/v3/domainverification/verifydnstoken", body: first?.body });
  });

  test.each(STEPS)("says in %s that the domain is verified already", async (step) => {
    peer.verifyDomain(DOMAIN);
    expect(await domainsOn()[step](DOMAIN)).toEqual({ kind: "verified" });
  });

  test.each(STEPS)("is refused in %s where the subscription lacks it", async (step) => {
    peer.subscription({ MaxBreachedDomains: 0 });
    expect(await domainsOn()[step](DOMAIN)).toEqual({ kind: "refused" });
    peer.subscription({ MaxBreachedDomains: 5 });
    const domains = domainsOn();
    await domains.breachesOf(DOMAIN);
    peer.failNext("403 plan");
    expect(await domains[step](DOMAIN)).toEqual({ kind: "refused" });
  });

  const failures: HibpFailure[] = [
    ...(["400", "404 html", "500", "503 html", "429", "broken json", "wrong type", "truncated", "redirect"] as const),
    ...(["empty list", "object", "wrong rows", "reset", "too large"] as const),
  ];
  test.each(failures)("starts with no record when it meets %s", async (failure) => {
    const domains = domainsOn();
    await domains.breachesOf(DOMAIN);
    peer.failNext(failure);
    const answer = await domains.startVerification(DOMAIN);
    expect(answer).toMatchObject({ kind: "later" });
    expect(JSON.stringify(answer)).not.toMatch(/example|Adobe|Sorry/);
    expect(await domains.startVerification(DOMAIN)).toMatchObject({ kind: "record" });
  });

  const lasting = failures.filter(
    (failure) =>
      !["empty list", "object", "wrong rows", "truncated", "reset", "wrong type", "too large"].includes(failure),
  );
  test.each(lasting)("has not ended when it meets %s", async (failure) => {
    peer.withholdRecord(DOMAIN);
    const domains = domainsOn();
    await domains.breachesOf(DOMAIN);
    peer.failNext(failure);
    expect(await domains.finishVerification(DOMAIN)).toMatchObject({ kind: "later" });
    expect(await domains.finishVerification(DOMAIN)).toEqual({ kind: "missing" });
  });

  test("needs a key that is accepted", async () => {
    const without = domainsOn({ apiKey: undefined });
    for (const step of STEPS) expect(await without[step](DOMAIN)).toMatchObject({ kind: "misconfigured" });
    expect(peer.requests).toEqual([]);
    const domains = domainsOn();
    await domains.breachesOf(DOMAIN);
    for (const step of STEPS) {
      peer.failNext("401", 1, "/domainverification");
      expect(await domains[step](DOMAIN)).toMatchObject({ kind: "misconfigured" });
      peer.failNext("403 blocked", 1, "/domainverification");
      expect(await domains[step](DOMAIN)).toMatchObject({ kind: "misconfigured" });
    }
  });
});
