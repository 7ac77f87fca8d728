import { afterAll, describe, expect, test } from "bun:test";
import { startLogosPeer } from "../support/logos_peer.ts";
import { pngOf } from "../support/pictures.ts";
import { codeIn, mailbox, signIn } from "./api.ts";
import { eventually, removeDirectory, startProduct, visit } from "./product.ts";

const ADA = "ada@example.com";
const peer = await startLogosPeer();
afterAll(() => peer.stop());

type Item = { breach: { name: string; logo: string | null } | null };

describe("logos", () => {
  test("are loaded from our own origin only, once the server has fetched them", async () => {
    peer.put("Adobe.png", pngOf(64));
    const product = await startProduct({ LOGOS_BASE_URL: peer.url, BILLING: "off" });
    const client = await signIn(product.url, ADA, async () => {
      const [mail] = await mailbox(product.url);
      return mail && codeIn(mail.text);
    });
    const tracked = await client.call("POST", "/api/associations", {
      address: ADA,
      owner: true,
      language: "en",
      contacts: { email: [ADA] },
    });
    expect(tracked.status).toBe(201);
    const logo = await eventually(
      "Adobe's logo is kept",
      async () => {
        const { items } = (await (await client.call("GET", "/api/alerts")).json()) as { items: Item[] };
        return items.find(({ breach }) => breach?.name === "Adobe")?.breach?.logo ?? undefined;
      },
      120_000,
    );
    expect(logo).toMatch(/^\/api\/logos\/[0-9a-f]{32}\.png$/);
    const [name = "", value = ""] = client.cookie().split("=");
    const browser = await visit(product.url);
    await browser.page.context().addCookies([{ name, value, url: product.url }]);
    const hosts = new Set<string>();
    browser.page.on("request", (request) => hosts.add(new URL(request.url()).origin));
    await browser.page.goto("/en/alerts");
    const image = browser.page.locator(`main img[src="${logo}"]`).first();
    await image.waitFor();
    // Images below the fold are loaded when they come near.
    await image.scrollIntoViewIfNeeded();
    await eventually("the picture is shown", async () =>
      (await image.evaluate((node) => (node as HTMLImageElement).naturalWidth)) === 64 ? true : undefined,
    );
    expect([...hosts]).toEqual([product.url]);
    expect([browser.violations, browser.errors]).toEqual([[], []]);
    // The server requested each image once, and nothing else.
    const asked = peer.requests.map(({ path }) => path);
    expect(new Set(asked).size).toBe(asked.length);
    await browser.close();
    await product.stop();
    removeDirectory(product.dataDir);
  }, 300_000);
});
