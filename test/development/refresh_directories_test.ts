import { afterAll, beforeEach, expect, test } from "bun:test";
import { snapshotOf } from "../../src/build/refresh_directories.ts";

const SHA = "0123456789abcdef0123456789abcdef01234567";
let files: Record<string, string> = {};
/** GitHub's API and archives. */
const github = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch({ url }) {
    const { pathname } = new URL(url);
    if (/^\/repos\/[\w-]+\/[\w-]+\/commits\/HEAD$/.test(pathname))
      return Response.json({ sha: SHA, commit: { committer: { date: "2026-11-20T09:30:00Z" } } });
    if (pathname.endsWith(`/tar.gz/${SHA}`))
      return new Response(await new Bun.Archive(files, { compress: "gzip" }).bytes());
    return new Response("", { status: 404 });
  },
});
afterAll(() => github.stop(true));
const HOSTS = { api: github.url.origin, archives: github.url.origin };
beforeEach(() => {
  files = {};
});

async function rowsOf(name: string): Promise<unknown> {
  const text = await snapshotOf(name, HOSTS);
  const { rows, ...head } = JSON.parse(text) as { rows: unknown[] };
  expect(head).toMatchObject({ commit: "0123456", date: "2026-11-20" });
  return rows;
}

test("reads JustDeleteMe's sites, without what cannot be used", async () => {
  const sites = [
    { name: "B", url: "http://b.example/delete", difficulty: "hard", domains: ["B.example/"], email: "a@b.example" },
    { name: "A", url: "https://a.example/delete", difficulty: "easy", domains: ["a.example"], notes: "Long" },
    { name: "Odd", url: "https://odd.example", difficulty: "unheard-of", domains: ["odd.example"] },
    { name: "Nowhere", url: "https://c.example", difficulty: "easy" },
  ];
  files = { "jdm-main/_data/sites.json": JSON.stringify(sites), "jdm-main/README.md": "Other" };
  expect(await rowsOf("deletions")).toEqual([
    { domains: ["a.example"], difficulty: "easy", url: "https://a.example/delete" },
    { domains: ["b.example"], difficulty: "hard", email: "a@b.example" },
  ]);
});

test("reads the 2FA Directory's entries, with services that offer nothing", async () => {
  files = {
    "twofactorauth-main/entries/a/a.example.json": JSON.stringify({
      A: {
        domain: "a.example",
        "additional-domains": ["a.test"],
        tfa: ["totp", "new-kind"],
        documentation: "https://a.example/2fa",
      },
    }),
    "twofactorauth-main/entries/b/b.example.json": JSON.stringify({ B: { domain: "b.example", contact: {} } }),
  };
  expect(await rowsOf("second_steps")).toEqual([
    { domains: ["a.example", "a.test"], kinds: ["totp"], url: "https://a.example/2fa" },
    { domains: ["b.example"], kinds: [] },
  ]);
});

test("reads the Passkeys Directory's entries", async () => {
  files = {
    "passkeys-main/entries/a/a.example.json": JSON.stringify({ A: { domain: "a.example", passwordless: "allowed" } }),
    "passkeys-main/entries/b/b.example.json": JSON.stringify({ B: { domain: "b.example", mfa: "allowed" } }),
    "passkeys-main/entries/c/c.example.json": JSON.stringify({ C: { domain: "c.example" } }),
  };
  expect(await rowsOf("passkeys")).toEqual([
    { domains: ["a.example"], signsIn: true },
    { domains: ["b.example"], signsIn: false },
  ]);
});

test("reads Datenanfragen.de's companies with a website, and the authorities", async () => {
  const contact = { name: "A Ltd", address: "Street 1\nTown", email: "privacy@a.example" };
  const company = {
    ...contact,
    "relevant-countries": ["all"],
    web: "https://www.a.example/x",
    "request-language": "de",
  };
  const authority = {
    ...contact,
    "relevant-countries": ["ch"],
    web: "https://b.example/",
    webform: "http://b.example",
  };
  files = {
    "data-main/companies/a.json": JSON.stringify(company),
    "data-main/companies/b.json": JSON.stringify({ ...company, web: undefined }),
    "data-main/supervisory-authorities/c.json": JSON.stringify(authority),
  };
  expect(await rowsOf("companies")).toEqual([
    { domains: ["a.example"], ...contact, countries: ["all"], language: "de" },
  ]);
  expect(await rowsOf("authorities")).toEqual([{ ...contact, countries: ["ch"], website: "https://b.example/" }]);
});

test("says when a repository no longer has its entries, rather than writing none", async () => {
  files = { "jdm-main/README.md": "Moved" };
  await expect(snapshotOf("deletions", HOSTS)).rejects.toThrow("its repository has changed");
  await expect(snapshotOf("passkeys", { ...HOSTS, api: `${HOSTS.api}/gone` })).rejects.toThrow("status 404");
});
