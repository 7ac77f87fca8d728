import { describe, expect, test } from "bun:test";
import { aBreach } from "../support/builders.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";

const ALICE = "alice@example.com";
const JSON_TYPE = { "Content-Type": "application/json" };
const OWN = { "Sec-Fetch-Site": "same-origin" };

const GUARDS = {
  "/api/check-subscription/": { status: "trial" },
  "/api/check-aggiungere-email/": { can_add_more: true },
} as const;

async function aliceTracking() {
  const ground = memoryGround();
  ground.feed.publish(aBreach({ name: "Old" }));
  ground.feed.expose(ALICE, "Old");
  const world = worldOn(ground);
  await world.breaches.pollCatalogue();
  const call = await signedUp(world, ALICE);
  const body = { address: ALICE, owner: true, language: "en", contacts: { email: [ALICE] } };
  const { id } = (await (await call("POST", "/api/associations", body)).json()) as { id: string };
  await settle(world);
  return { ground, world, call, id, body };
}

describe("The five guard calls", () => {
  test("return the access level without a session, with a partial and with a full one", async () => {
    const world = worldOn(memoryGround());
    const level = async (cookie = "") =>
      (await world.app.request("/api/check-user-authentication/", { headers: { Cookie: cookie } })).json();
    expect(await level()).toEqual({ auth_level: "unauthenticated" });
    expect(await level("__Host-session=forged")).toEqual({ auth_level: "unauthenticated" });
    const call = await signedUp(world, ALICE);
    expect(await (await call("GET", "/api/check-user-authentication/")).json()).toEqual({
      auth_level: "authenticated",
    });
    await call("POST", "/api/logout", {});
    const login = await call("POST", "/api/login", { email: ALICE, password: "Tranquil-Harbour-42" });
    expect(login.status).toBe(200);
    expect(await (await call("GET", "/api/check-user-authentication/")).json()).toEqual({ auth_level: "partial" });
    // A partial session has no access.
    expect((await call("GET", "/api/me")).status).toBe(401);
  });

  test("respond to a full session, and refuse everybody else with a code", async () => {
    const { world, call, id } = await aliceTracking();
    for (const [path, answer] of Object.entries(GUARDS)) {
      expect(await (await call("GET", path)).json()).toEqual(answer);
      const stranger = await world.app.request(path);
      expect(stranger.status).toBe(401);
      expect(await stranger.json()).toEqual({ code: "UNAUTHENTICATED" });
    }
    expect((await call("GET", `/api/check-user-belong-association/?association_id=${id}`)).status).toBe(200);
    expect((await call("GET", `/api/check-user-autorizzato-monitoraggio/?child_email=${ALICE}`)).status).toBe(200);
  });

  test("respond the same for a foreign and an unknown association", async () => {
    const { world, id } = await aliceTracking();
    const bob = await signedUp(world, "bob@example.net");
    const answers = await Promise.all(
      [id, "00000000-0000-4000-8000-000000000000", "no-id", ""].map(async (asked) => {
        const answer = await bob("GET", `/api/check-user-belong-association/?association_id=${asked}`);
        return [answer.status, await answer.text()];
      }),
    );
    for (const answer of answers) expect(answer).toEqual([403, '{"code":"ACCESS_DENIED"}']);
    const watched = await bob("GET", `/api/check-user-autorizzato-monitoraggio/?child_email=${ALICE}`);
    expect(await watched.json()).toEqual({ code: "MONITORING_NOT_AUTHORISED" });
  });
});

describe("Bad input", () => {
  const post = (
    world: ReturnType<typeof worldOn>,
    path: string,
    body: string,
    headers: Record<string, string> = JSON_TYPE,
  ) => world.app.request(path, { method: "POST", headers: { ...OWN, ...headers }, body });

  test("has a specific response for a body that is not JSON, of the wrong shape, too large or of another type", async () => {
    const world = worldOn(memoryGround());
    const answers = [
      [await post(world, "/api/login", "{bad"), 400, "INVALID_JSON"],
      [await post(world, "/api/login", '"text"'), 422, "INVALID_INPUT"],
      [await post(world, "/api/login", "{}"), 422, "INVALID_INPUT"],
      [await post(world, "/api/login", `{"email":"${"a".repeat(70_000)}"}`), 413, "BODY_TOO_LARGE"],
      [
        await post(world, "/api/login", "email=a", { "Content-Type": "application/x-www-form-urlencoded" }),
        415,
        "MEDIA_TYPE_UNSUPPORTED",
      ],
      [await post(world, "/api/login", "{}", { ...JSON_TYPE, "Sec-Fetch-Site": "cross-site" }), 403, "CROSS_SITE"],
    ] as const;
    for (const [answer, status, code] of answers) {
      expect(answer.status).toBe(status);
      expect(((await answer.json()) as { code: string }).code).toBe(code);
    }
  });

  test("a chunked body without a length is limited, too", async () => {
    const world = worldOn(memoryGround());
    const chunk = new TextEncoder().encode("a".repeat(16_000));
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent++ < 8) controller.enqueue(chunk);
        else controller.close();
      },
    });
    const answer = await world.app.request("/api/login", {
      method: "POST",
      headers: { ...OWN, ...JSON_TYPE },
      body,
      duplex: "half",
    } as RequestInit);
    expect(answer.status).toBe(413);
  });

  test("unknown fields are rejected, and nothing is stored", async () => {
    const { call, body } = await aliceTracking();
    const more = await call("POST", "/api/associations", { ...body, status: "safe", __proto__: { owner: false } });
    expect(await more.json()).toMatchObject({ code: "INVALID_INPUT", fields: { status: "INVALID_INPUT" } });
    const again = await call("POST", "/api/associations", { ...body, address: " ALICE@Example.com " });
    expect(again.status).toBe(409);
    expect(await again.json()).toEqual({
      code: "ADDRESS_ALREADY_TRACKED",
      fields: { address: "ADDRESS_ALREADY_TRACKED" },
    });
    const { total } = (await (await call("GET", "/api/associations")).json()) as { total: number };
    expect(total).toBe(1);
  });

  test("an address of somebody else waits for its owner, and shows nothing before", async () => {
    const { call, body } = await aliceTracking();
    const answer = await call("POST", "/api/associations", { ...body, address: "bob@example.net" });
    expect(answer.status).toBe(201);
    expect(await answer.json()).toMatchObject({ state: "pending" });
    const { total, capacity } = (await (await call("GET", "/api/associations")).json()) as {
      total: number;
      capacity: { used: number };
    };
    expect([total, capacity.used]).toEqual([1, 2]);
    const monitoring = await call("GET", "/api/monitoring?child_email=bob@example.net");
    expect(await monitoring.json()).toEqual({ code: "INVITATION_PENDING" });
  });

  test("an email in other letter case belongs to the same account", async () => {
    const world = worldOn(memoryGround());
    const names = { firstName: "Alice", lastName: "Meyer", language: "en", terms: true };
    const passwords = { password: "Tranquil-Harbour-42", confirmPassword: "Tranquil-Harbour-42" };
    await signedUp(world, ALICE);
    const answer = await post(
      world,
      "/api/register",
      JSON.stringify({ ...names, ...passwords, email: "ALICE@EXAMPLE.com" }),
    );
    expect(answer.status).toBe(409);
    expect(await answer.json()).toEqual({ code: "EMAIL_TAKEN", fields: { email: "EMAIL_TAKEN" } });
  });

  test("an unknown path of the API is not found, and other methods are not allowed", async () => {
    const world = worldOn(memoryGround());
    expect((await world.app.request("/api/nothing")).status).toBe(404);
    expect((await world.app.request("/api/login", { method: "TRACE" })).status).toBe(405);
  });
});

describe("/api/openapi.json", () => {
  test("describes every route of the API, with the schemas that validate", async () => {
    const world = worldOn(memoryGround());
    const document = (await (await world.app.request("/api/openapi.json")).json()) as {
      paths: Record<string, Record<string, { summary?: string; requestBody?: unknown; responses: object }>>;
    };
    const registered = world.app.routes
      .filter(({ path, method }) => /^\/(api|u)\//.test(path) && method !== "ALL" && path !== "/api/openapi.json")
      .map(({ path, method }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    const isHidden = (route: string) => /^\w+ \/api\/(staff\/|(doctor|policy-reports)$)|^get \/u\//.test(route);
    for (const route of new Set(registered))
      expect({ route, isDescribed: described.includes(route) }).toEqual({ route, isDescribed: !isHidden(route) });
    for (const path of [
      ...Object.keys(GUARDS),
      "/api/check-user-authentication/",
      "/api/check-user-belong-association/",
    ]) {
      expect(document.paths).toHaveProperty([path]);
    }
    expect(JSON.stringify(document.paths["/api/register"]?.post?.requestBody)).toContain("confirmPassword");
  });
});
