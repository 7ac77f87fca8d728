import { afterAll, beforeAll, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES } from "../../src/shared/language.ts";
import { openSite } from "./browser.ts";
import { htmlErrors } from "./html_checker.ts";

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

const document = (head: string, body = "") =>
  `<!doctype html><html lang="en"><head><title>Page</title>${head}</head><body>${body}</body></html>`;

test("htmlErrors() reports invalid markup, and nothing else", async () => {
  const found = await htmlErrors({
    good: document("<style>p { text-box-trim: trim-both }</style>"),
    preload: document('<link rel="preload" as="fetch">'),
    expect: document('<link rel="expect" href="#a" blocking="render">', '<p id="a"></p>'),
    style: document("", "<div><style>:root { color: red }</style></div>"),
    meta: document("", '<meta name="nonce" content="a">'),
  });
  const names = new Set(found.map((line) => line.slice(0, line.indexOf(":"))));
  expect([...names].toSorted()).toEqual(["expect", "meta", "preload", "style"]);
}, 300_000);

test("the checker finds no error in any served document", async () => {
  const documents: Record<string, string> = {};
  for (const language of LANGUAGES)
    for (const path of ["login", "register", "terms-service"]) {
      const address = `/${language}/${path}`;
      documents[address] = await (await fetch(opened.site.origin + address)).text();
    }
  documents.offline = readFileSync(join(import.meta.dir, "../../web/app/offline.html"), "utf8");
  expect(await htmlErrors(documents)).toEqual([]);
}, 300_000);
