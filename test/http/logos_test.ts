import { describe, expect, test } from "bun:test";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { PICTURES } from "../support/pictures.ts";
import { memoryGround, worldOn } from "../support/world.ts";

const FILE = "0123456789abcdef0123456789abcdef";

/** The product with one image of each type. */
async function world() {
  const ground = memoryGround();
  const endings = { "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp" } as const;
  const files = Object.entries(PICTURES).map(([name, bytes]) => {
    const type = name as keyof typeof PICTURES;
    return { file: `${FILE}.${endings[type]}`, type, bytes: new Uint8Array(bytes), etag: undefined };
  });
  await ground.transactionOf(memoryBreaches)(async ({ logos }) => {
    for (const logo of files) await logos.keep(logo.file, { ...logo, fetchedAt: new Date(0) }, new Date(0));
  });
  return { app: worldOn(ground).app, files };
}

describe("GET /api/logos/:file", () => {
  test("serves the image to everybody, cacheable forever, with nothing in it executable", async () => {
    const { app, files } = await world();
    for (const { file, type, bytes } of files) {
      const response = await app.request(`/api/logos/${file}`);
      expect(response.status).toBe(200);
      expect(Object.fromEntries(response.headers)).toMatchObject({
        "content-type": type,
        "cache-control": "public, max-age=31536000, immutable",
        "content-security-policy": "default-src 'none'",
        "x-content-type-options": "nosniff",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(response.headers.has("set-cookie")).toBe(false);
      expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
    }
  });

  test.each([
    `${"f".repeat(32)}.png`,
    `${FILE}.svg`,
    `${FILE}`,
    `${FILE.toUpperCase()}.png`,
    `..%2f${FILE}.png`,
    "%00.png",
    "%",
    "a".repeat(5000),
  ])("responds 404 for %p, not cacheable", async (file) => {
    const { app } = await world();
    const response = await app.request(`/api/logos/${file}`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([404, "no-store"]);
    expect(await response.json()).toEqual({ code: "NOT_FOUND" });
  });

  test("works with an ended session, and is in the OpenAPI document", async () => {
    const { app, files } = await world();
    const headers = { Cookie: "__Host-session=long-gone; session=long-gone" };
    expect((await app.request(`/api/logos/${files[0]?.file}`, { headers })).status).toBe(200);
    const { paths } = (await (await app.request("/api/openapi.json")).json()) as { paths: Record<string, object> };
    expect(paths).toHaveProperty(["/api/logos/{file}", "get"]);
  });

  test("allows no other method", async () => {
    const { app, files } = await world();
    const response = await app.request(`/api/logos/${files[0]?.file}`, {
      method: "DELETE",
      headers: { Origin: "https://breachbell.example", "Sec-Fetch-Site": "same-origin" },
    });
    expect(response.status).toBe(404);
  });
});
