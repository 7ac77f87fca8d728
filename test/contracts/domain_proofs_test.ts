import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { VISIBLE_PROOFS, type VisibleProof } from "../../src/domains/proof_ports.ts";
import { memoryDomainProofs } from "../memory/domains/proofs.ts";
import type { DnsFailure } from "../support/dns_peer.ts";
import { DOMAIN, FILE, RECORD, startHolderPeer } from "../support/holder_peer.ts";

const TOKEN = "h7Qk3xV0b2";
const VALUE = `breachbell-verification=${TOKEN}`;
const META = `<meta name="breachbell-verification" content="${TOKEN}">`;
const FOUND = { kind: "found" as const };
const MISSING = { kind: "missing" as const };

const peer = await startHolderPeer();
const { dns, asked } = peer;
afterAll(() => peer.stop());
beforeEach(() => {
  peer.serve({ status: 404 });
  asked.length = 0;
  dns.withdraw(RECORD);
});

const serve = (body: string, headers: Record<string, string> = {}) => peer.serve({ body, headers });
const publish: Record<VisibleProof, (value: string) => void> = {
  dns: (value) => dns.publish(RECORD, [value]),
  file: (value) => serve(`${value}\n`),
  meta: (value) => serve(META.replace(TOKEN, value.split("=")[1] ?? "")),
};

describe.each(["memory", "live"])("DomainProofs on %s", (name) => {
  function open() {
    if (name === "live") return { proofs: peer.proofs(), publish };
    const proofs = memoryDomainProofs();
    const put = (proof: VisibleProof) => (value: string) => void proofs.published.set(`${proof} ${DOMAIN}`, value);
    return { proofs, publish: { dns: put("dns"), file: put("file"), meta: put("meta") } };
  }

  test.each(VISIBLE_PROOFS)("look() finds the value by %s, and nothing like it", async (proof) => {
    const world = open();
    expect(await world.proofs.look(DOMAIN, proof, VALUE)).toEqual(MISSING);
    world.publish[proof](VALUE);
    expect(await world.proofs.look(DOMAIN, proof, VALUE)).toEqual(FOUND);
    for (const other of [`${VALUE}0`, VALUE.slice(0, -1), VALUE.toUpperCase(), "breachbell-verification="])
      expect([other, await world.proofs.look(DOMAIN, proof, other)]).toEqual([other, MISSING]);
  });

  test.each(VISIBLE_PROOFS)("look() by %s finds no value that is published in another way", async (proof) => {
    const world = open();
    world.publish[proof](VALUE);
    for (const other of VISIBLE_PROOFS.filter((kind) => kind !== proof))
      expect([other, await world.proofs.look(DOMAIN, other, VALUE)]).toEqual([other, MISSING]);
  });
});

describe("A proof by DNS", () => {
  const look = (more: Parameters<typeof peer.proofs>[0] = {}) => peer.proofs(more).look(DOMAIN, "dns", VALUE);

  test("is one record among others, split into strings, or behind an alias", async () => {
    dns.publish(RECORD, ["v=spf1 -all"], ["breachbell-", "verification=other"], [VALUE]);
    expect(await look()).toEqual(FOUND);
    dns.withdraw(RECORD);
    dns.publish(RECORD, ["something else"], ["breachbell-", "verification=", TOKEN]);
    expect(await look()).toEqual(FOUND);
    dns.withdraw(RECORD);
    dns.publish("proofs.host.example", [` ${VALUE} `]);
    dns.alias(RECORD, "proofs.host.example");
    expect(await look()).toEqual(FOUND);
  });

  test("is read by TCP where the answer is too long for a datagram, and within a limit", async () => {
    const others = Array.from({ length: 200 }, (_, number) => [`other record ${number}`]);
    dns.publish(RECORD, ...others, [VALUE]);
    expect(await look()).toEqual(FOUND);
    expect(dns.asked.at(-1)).toBe(`tcp ${RECORD}`);
    dns.withdraw(RECORD);
    dns.publish(RECORD, ...others, ...others, ...others, [VALUE]);
    expect(await look()).toEqual(MISSING);
  });

  test("is missing where the name does not exist, or has no such record", async () => {
    expect(await look()).toEqual(MISSING);
    dns.publish(RECORD);
    expect(await look()).toEqual(MISSING);
    dns.publish(DOMAIN, [VALUE]);
    expect(await look()).toEqual(MISSING);
  });

  const failures: DnsFailure[] = [
    ...(["SERVFAIL", "REFUSED", "FORMERR", "NOTIMP", "silence", "garbage", "half", "wrong id", "truncated"] as const),
  ];
  test.each(failures)("is unreachable when the name server's answer is: %s", async (failure) => {
    dns.publish(RECORD, [VALUE]);
    dns.fail(RECORD, failure);
    // Only those that give no answer run into the time limit.
    const isSilent = failure === "silence" || failure === "wrong id" || failure === "truncated";
    const answer = await look(isSilent ? { dnsTimeoutMs: 300 } : {});
    expect(answer).toEqual({ kind: "unreachable", reason: expect.any(String) });
    expect(JSON.stringify(answer)).not.toContain(TOKEN);
    dns.fail(RECORD, undefined);
    expect(await look()).toEqual(FOUND);
  });

  test("may be missing by NXDOMAIN from a server that knows nothing else", async () => {
    dns.fail(RECORD, "NXDOMAIN");
    expect(await look()).toEqual(MISSING);
  });
});

describe("A proof by file", () => {
  const look = () => peer.proofs().look(DOMAIN, "file", VALUE);

  test.each([
    ["alone", VALUE],
    ["between other lines, with any line ends", `# ours\r\n  ${VALUE}\t\r\nbreachbell-verification=other`],
  ])("is a line %s", async (_, text) => {
    serve(text);
    expect(await look()).toEqual(FOUND);
    expect(asked).toEqual([`${DOMAIN}${FILE}`]);
  });

  test.each([
    ["with more on its line", `${VALUE} and more`],
    ["as a part of a page", `<p>${VALUE}</p>`],
    ["behind the first 64 KB", `${" ".repeat(64 * 1024)}\n${VALUE}`],
  ])("does not count %s", async (_, text) => {
    serve(text);
    expect(await look()).toEqual(MISSING);
  });

  test("is read up to its limit, from a response that is longer", async () => {
    serve(`${VALUE}\n${"x\n".repeat(200_000)}`);
    expect(await look()).toEqual(FOUND);
  });
});

describe("A proof by meta tag", () => {
  const look = () => peer.proofs().look(DOMAIN, "meta", VALUE);

  test.each([
    ["in a head", `<!doctype html><html><head><title>Us</title>${META}</head><body>Hello</body></html>`],
    ["without a head", `<!doctype html>\n<title>Us</title>\n${META}<p>Hello`],
    ["in capitals, unquoted", `<META CONTENT=${TOKEN} NAME=BreachBell-Verification>`],
    ["in quotes, with spaces", `<meta data-x='"' content=' ${TOKEN} '\n name='breachbell-verification' />`],
    ["behind another token", `<meta name="breachbell-verification" content="other">${META}`],
    ["behind a script", `<script>if (1 < 2) document.write("<p>")</script><noscript>No</noscript>${META}`],
  ])("counts %s", async (_, page) => {
    serve(page);
    expect(await look()).toEqual(FOUND);
    expect(asked).toEqual([`${DOMAIN}/`]);
  });

  test.each([
    ["in a comment", `<head><!-- ${META} --></head>`],
    ["in a script", `<script>const tag = '${META}';</script>`],
    ["in a title", `<title>${META}</title>`],
    ["in the body, where others may write", `<body>${META}</body>`],
    ["in a body without a tag", `<p>A comment: ${META}`],
    ["behind text", `A comment: ${META}`],
    ["unfinished", META.slice(0, -1)],
    ["with another name", META.replace("verification", "verifications")],
    ["behind the first 64 KB", `<!--${"x".repeat(64 * 1024)}-->${META}`],
  ])("does not count %s", async (_, page) => {
    serve(page);
    expect(await look()).toEqual(MISSING);
  });

  test("does not count in what is no page", async () => {
    serve(META, { "content-type": "text/plain" });
    expect(await look()).toEqual(MISSING);
  });
});
