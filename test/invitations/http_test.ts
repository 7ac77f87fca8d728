import { describe, expect, test } from "bun:test";
import type { Composition } from "../../src/compose.ts";
import type { MailRequested } from "../../src/events/catalogue.ts";
import { takePublished } from "../support/published.ts";
import { memoryGround, settle, signedUp, worldOn } from "../support/world.ts";
import { tokenOf } from "./invitation_world.ts";

const BOB = "bob@example.net";
const SCOPE = { details: true, sensitive: false };
const UNKNOWN = "00000000-0000-4000-8000-000000000000";
type Call = (method: string, path: string, body?: unknown) => Promise<Response>;

/** An HTTP client without a session. */
function anybody(world: Composition): Call {
  return async (method, path, body) =>
    world.app.request(path, {
      method,
      headers: { "Sec-Fetch-Site": "same-origin", ...(body !== undefined && { "Content-Type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}

/** Alice asks Bob over HTTP; `token` is the one in Bob's mail. */
async function asked() {
  const ground = memoryGround();
  const world = worldOn(ground);
  const alice = await signedUp(world, "alice@example.com");
  const body = { address: BOB, owner: false, language: "de", contacts: { email: ["alice@example.com"] } };
  const tracked = await alice("POST", "/api/associations", body);
  expect(tracked.status).toBe(201);
  await world.dispatcher.drain();
  await world.invitations.mailDue();
  const mails = (await takePublished(ground.outbox)) as MailRequested[];
  const token = tokenOf(mails.find(({ template }) => template === "invitation"));
  const { items } = (await (await alice("GET", "/api/invitations/sent")).json()) as { items: { id: string }[] };
  const id = items[0]?.id ?? "";
  expect(token).toHaveLength(43);
  return { ground, world, alice, visitor: anybody(world), token, id };
}

/** An empty list. */
const NONE = { items: [], total: 0, page: 1, pageSize: 25 };
const answerOf = async (response: Response) => ({ status: response.status, text: await response.text() });

describe("/api/invitation-links", () => {
  test("lead from the request to consent and its withdrawal, without an account", async () => {
    const { ground, world, visitor, alice, token } = await asked();
    const inspected = await visitor("POST", "/api/invitation-links/inspect", { token });
    expect(inspected.headers.get("Cache-Control")).toBe("no-store");
    expect(await inspected.json()).toMatchObject({ purpose: "answer", inviter: { name: "Alice Meyer" }, address: BOB });
    const yes = await visitor("POST", "/api/invitation-links/accept", { token, ...SCOPE, language: "fr" });
    expect(yes.status).toBe(200);
    const { manageToken, scope } = (await yes.json()) as { manageToken: string; scope: object };
    expect(scope).toEqual(SCOPE);
    await settle(world);
    const mayWatch = await (await alice("GET", "/api/grants/may-watch")).json();
    expect(mayWatch).toMatchObject({ items: [{ address: BOB, scope: SCOPE, kind: "invitation" }], total: 1 });
    const less = { details: false, sensitive: false };
    const narrowed = await visitor("POST", "/api/invitation-links/scope", { token: manageToken, ...less });
    expect(await narrowed.json()).toEqual({ scope: less });
    const managed = await visitor("POST", "/api/invitation-links/inspect", { token: manageToken });
    expect(await managed.json()).toMatchObject({ purpose: "manage", state: "accepted", scope: less, expiresAt: null });
    const out = await visitor("POST", "/api/invitation-links/withdraw", { token: manageToken, block: false });
    expect(await answerOf(out)).toEqual({ status: 200, text: "{}" });
    await settle(world);
    expect(await (await alice("GET", "/api/grants/may-watch")).json()).toEqual(NONE);
    expect(ground.errors).toEqual([]);
  });

  test("answer every invalid token with the same response", async () => {
    const { world, visitor, alice, token, id } = await asked();
    const cancelled = await alice("POST", `/api/invitations/${id}/cancel`, {});
    expect(cancelled.status).toBe(200);
    await settle(world);
    const bad = [token, `${token}x`, "", "v1", `v1.${id}.AAAA`, `v1.${UNKNOWN}.`, "a".repeat(5000), "\0", "’"];
    const invalid = { status: 410, text: '{"code":"INVITATION_INVALID"}' };
    for (const wrong of bad) {
      for (const [path, more] of [
        ["inspect", {}],
        ["accept", SCOPE],
        ["scope", SCOPE],
        ["decline", { block: true }],
        ["withdraw", { block: true }],
      ] as const) {
        const answer = await visitor("POST", `/api/invitation-links/${path}`, { token: wrong, ...more });
        expect({ path, wrong, ...(await answerOf(answer)) }).toEqual({ path, wrong, ...invalid });
      }
    }
  });

  test("refuse missing, mistyped and unknown fields, and change nothing", async () => {
    const { visitor, token } = await asked();
    const refused: [string, object, Record<string, string>][] = [
      ["inspect", {}, { token: "INVALID_INPUT" }],
      ["inspect", { token: 7 }, { token: "INVITATION_INVALID" }],
      ["inspect", { token, more: 1 }, { more: "INVALID_INPUT" }],
      ["accept", { token, details: true }, { sensitive: "INVALID_INPUT" }],
      ["accept", { token, ...SCOPE, details: "yes" }, { details: "INVALID_INPUT" }],
      ["accept", { token, ...SCOPE, language: "xx" }, { language: "INVALID_INPUT" }],
      ["accept", { token, ...SCOPE, state: "accepted" }, { state: "INVALID_INPUT" }],
      ["decline", { token }, { block: "INVALID_INPUT" }],
      ["decline", { token, block: null }, { block: "INVALID_INPUT" }],
      ["withdraw", { token, block: 1 }, { block: "INVALID_INPUT" }],
      ["scope", { token, sensitive: true }, { details: "INVALID_INPUT" }],
    ];
    for (const [path, body, fields] of refused) {
      const answer = await visitor("POST", `/api/invitation-links/${path}`, body);
      expect({ path, body, status: answer.status, answer: await answer.json() }).toEqual({
        path,
        body,
        status: 422,
        answer: { code: "INVALID_INPUT", fields },
      });
    }
    for (const path of ["inspect", "accept", "decline", "scope", "withdraw"])
      expect((await visitor("GET", `/api/invitation-links/${path}?token=${token}`)).status).toBe(404);
    const inspected = await visitor("POST", "/api/invitation-links/inspect", { token });
    expect(await inspected.json()).toMatchObject({ purpose: "answer", state: "pending" });
  });
});

describe("/api/invitations and /api/grants", () => {
  test("require a full session", async () => {
    const { visitor, id } = await asked();
    for (const [method, path, body] of [
      ["GET", "/api/invitations/sent"],
      ["GET", "/api/invitations/requests"],
      ["POST", `/api/invitations/${id}/cancel`, {}],
      ["POST", `/api/invitations/${id}/accept`, SCOPE],
      ["POST", `/api/invitations/${id}/decline`, { block: false }],
      ["GET", "/api/grants/may-watch"],
      ["GET", "/api/grants/watched-by"],
      ["GET", `/api/grants/${id}/record`],
      ["POST", `/api/grants/${id}/withdraw`, { block: false }],
      ["PUT", `/api/grants/${id}/scope`, SCOPE],
    ] as const)
      expect(await answerOf(await visitor(method, path, body))).toEqual({
        status: 401,
        text: '{"code":"UNAUTHENTICATED"}',
      });
  });

  test("let an owner with an account answer, view, narrow and withdraw", async () => {
    const { world, alice, id } = await asked();
    const bob = await signedUp(world, BOB);
    const requests = await (await bob("GET", "/api/invitations/requests")).json();
    expect(requests).toMatchObject({ items: [{ id, inviter: { name: "Alice Meyer" }, kind: "invitation" }] });
    const yes = await bob("POST", `/api/invitations/${id}/accept`, SCOPE);
    expect(await answerOf(yes)).toEqual({ status: 200, text: JSON.stringify({ scope: SCOPE }) });
    await settle(world);
    const grants = await (await bob("GET", "/api/grants/watched-by")).json();
    expect(grants).toMatchObject({ items: [{ id, inviter: { name: "Alice Meyer" }, address: BOB }], total: 1 });
    expect(await (await bob("GET", "/api/grants/may-watch")).json()).toEqual(NONE);
    const less = { details: false, sensitive: false };
    expect((await bob("PUT", `/api/grants/${id}/scope`, less)).status).toBe(200);
    const read = async (call: Call) => answerOf(await call("GET", `/api/grants/${id}/record`));
    expect(await read(alice)).toEqual(await read(bob));
    expect(JSON.parse((await read(bob)).text)).toMatchObject({
      entries: [{ act: "asked" }, { act: "accepted", scope: SCOPE }, { act: "scope_changed", scope: less }],
    });
    expect((await bob("POST", `/api/grants/${id}/withdraw`, { block: true })).status).toBe(200);
    const again = await bob("POST", `/api/grants/${id}/withdraw`, { block: true });
    expect(await answerOf(again)).toEqual({ status: 410, text: '{"code":"INVITATION_INVALID"}' });
    await settle(world);
    expect(await (await alice("GET", "/api/grants/may-watch")).json()).toEqual(NONE);
  });

  test("accept only page numbers for a page", async () => {
    const { alice } = await asked();
    for (const path of ["invitations/sent", "invitations/requests", "grants/may-watch", "grants/watched-by"]) {
      const far = await alice("GET", `/api/${path}?page=999999`);
      expect(await far.json()).toMatchObject({ items: [], page: 999_999 });
      for (const page of ["0", "-1", "1.5", "1000000", "one", ""])
        expect((await alice("GET", `/api/${path}?page=${page}`)).status).toBe(422);
    }
  });

  test("respond to foreign, unknown and malformed ids alike", async () => {
    const { world, alice, id } = await asked();
    const charlie = await signedUp(world, "charlie@example.org");
    const missing = { status: 404, text: '{"code":"NOT_FOUND"}' };
    for (const [method, path, body] of [
      ["POST", "/api/invitations/:id/cancel", {}],
      ["POST", "/api/invitations/:id/accept", SCOPE],
      ["POST", "/api/invitations/:id/decline", { block: true }],
      ["GET", "/api/grants/:id/record", undefined],
      ["POST", "/api/grants/:id/withdraw", { block: true }],
      ["PUT", "/api/grants/:id/scope", SCOPE],
    ] as const)
      for (const asked of [id, UNKNOWN, "no-id", "%00"])
        expect(await answerOf(await charlie(method, path.replace(":id", asked), body))).toEqual(missing);
    // The inviter is not the owner.
    for (const act of ["accept", "decline"])
      expect(
        await answerOf(
          await alice("POST", `/api/invitations/${id}/${act}`, act === "accept" ? SCOPE : { block: true }),
        ),
      ).toEqual(missing);
    const sent = (await (await alice("GET", "/api/invitations/sent?page=1")).json()) as object;
    expect(sent).toMatchObject({ total: 1, page: 1, pageSize: 25, items: [{ id, address: BOB }] });
    for (const page of ["0", "-1", "x", "1.5", "9999999"])
      expect((await alice("GET", `/api/invitations/sent?page=${page}`)).status).toBe(422);
  });
});
