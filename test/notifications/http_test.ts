import { describe, expect, test } from "bun:test";
import { notificationRoutes } from "../../src/notifications/adapters/http/routes.ts";
import { unsubscribeToken } from "../../src/notifications/contacts/contact_links.ts";
import { email, keys, postOffice } from "./post_office.ts";

const CAROL = "carol@else.example";

async function asked() {
  const post = postOffice();
  const routes = notificationRoutes(post, { publicUrl: "https://breachbell.example" });
  await post.onContactsChanged({
    type: "tracking.contactsChanged",
    associationId: "home",
    accountId: "alice",
    language: "fr",
    contacts: [email(CAROL)],
  });
  await post.deliverDue();
  const [contact] = await post.deps.transaction(({ contacts }) => contacts.list("alice"));
  const json = async (path: string, body: unknown) => {
    const headers = { "Content-Type": "application/json" };
    const response = await routes.request(path, { method: "POST", headers, body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };
  const stop = unsubscribeToken(keys.mac, contact?.id ?? "");
  const state = async () => (await post.statesOf("alice"))[0]?.state;
  return { post, routes, json, stop, state, confirmation: post.linkToken(CAROL) };
}

function oneClick(body: string, type = "application/x-www-form-urlencoded") {
  return { method: "POST", headers: { "Content-Type": type }, body };
}

describe("notificationRoutes()", () => {
  test("inspect and confirm with the mailed token", async () => {
    const { json, confirmation, state } = await asked();
    expect(await json("/api/contact-links/inspect", { token: confirmation })).toEqual({
      status: 200,
      body: { purpose: "confirm", channel: "email", value: "c•••@else.example", state: "unconfirmed", language: "fr" },
    });
    expect(await state()).toBe("unconfirmed");
    expect(await json("/api/contact-links/confirm", { token: confirmation })).toEqual({
      status: 200,
      body: { state: "active" },
    });
    expect(await state()).toBe("active");
  });

  test("stop and resume with the stop token", async () => {
    const { json, confirmation, stop } = await asked();
    await json("/api/contact-links/confirm", { token: confirmation });
    expect(await json("/api/contact-links/unsubscribe", { token: stop })).toEqual({
      status: 200,
      body: { state: "unsubscribed" },
    });
    expect(await json("/api/contact-links/resubscribe", { token: stop })).toEqual({
      status: 200,
      body: { state: "active" },
    });
  });

  test("respond to an invalid token with LINK_INVALID and to a malformed request with INVALID_INPUT", async () => {
    const { json } = await asked();
    for (const path of ["inspect", "confirm", "unsubscribe", "resubscribe"]) {
      expect(await json(`/api/contact-links/${path}`, { token: "made up" })).toEqual({
        status: 410,
        body: { code: "LINK_INVALID" },
      });
      for (const body of [{}, { token: "" }, { token: "x".repeat(201) }, { token: "x", more: 1 }, { token: 7 }]) {
        expect(await json(`/api/contact-links/${path}`, body)).toMatchObject({
          status: 422,
          body: { code: "INVALID_INPUT" },
        });
      }
    }
  });

  test("redirect to the page with the token in the fragment, and change nothing", async () => {
    const { routes, confirmation, json, stop, state } = await asked();
    await json("/api/contact-links/confirm", { token: confirmation });
    const response = await routes.request(`/u/${stop}`, {
      headers: { Host: "evil.example", "X-Forwarded-Host": "evil.example" },
    });
    expect(response.status).toBe(303);
    expect(response.headers.get("Location")).toBe(`https://breachbell.example/fr/manage-contact#t=${stop}`);
    expect(await state()).toBe("active");
    const made = await routes.request("/u/made%20up%0d%0aX:1");
    expect(made.headers.get("Location")).toBe("https://breachbell.example/en/manage-contact#t=made%20up%0D%0AX%3A1");
  });

  test("stop immediately for a mail program's one-click POST", async () => {
    const { routes, confirmation, json, stop, state } = await asked();
    await json("/api/contact-links/confirm", { token: confirmation });
    const response = await routes.request(`/u/${stop}`, oneClick("List-Unsubscribe=One-Click"));
    expect([response.status, await response.text()]).toEqual([200, ""]);
    expect(await state()).toBe("unsubscribed");
    expect((await routes.request(`/u/${stop}`, oneClick("List-Unsubscribe=One-Click"))).status).toBe(200);
  });

  test("stop for nothing else", async () => {
    const { routes, confirmation, json, stop, state } = await asked();
    await json("/api/contact-links/confirm", { token: confirmation });
    expect((await routes.request(`/u/${stop}`, oneClick("x=1"))).status).toBe(422);
    expect((await routes.request(`/u/${stop}`, oneClick("{}", "application/json"))).status).toBe(422);
    expect((await routes.request(`/u/${confirmation}`, oneClick("List-Unsubscribe=One-Click"))).status).toBe(410);
    expect((await routes.request(`/u/${stop}`, { method: "HEAD" })).status).toBe(303);
    expect(await state()).toBe("active");
  });
});
