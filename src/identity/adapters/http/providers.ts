import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as v from "valibot";
import { json, param, wholeBody } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv } from "../../../http/session.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { fail, ok } from "../../../shared/result.ts";
import { text } from "../../../shared/text.ts";
import type { Identity } from "../../mod.ts";
import { VISIT_MINUTES } from "../../sign_in/provider_visit.ts";
import { signInCookies } from "./client.ts";

/** A provider's name; the use case knows which there are. */
const provider = v.pipe(text(40), v.regex(/^[a-z0-9-]+$/));
const path = v.object({ provider });
/** An address of 320 characters in base64url, a time and a signature. */
const INVITATION_MAX = 520;
const startInput = v.strictObject({
  purpose: v.optional(v.picklist(["sign_in", "link", "confirm"]), "sign_in"),
  invitation: v.optional(text(INVITATION_MAX)),
});
const finishInput = v.strictObject({
  state: text(200, "PROVIDER_REFUSED"),
  code: v.optional(v.pipe(text(4096, "PROVIDER_REFUSED"), v.nonEmpty("PROVIDER_REFUSED"))),
  iss: v.optional(text(2000, "PROVIDER_REFUSED")),
  language: v.optional(v.picklist(LANGUAGES)),
});
const urlAnswer = v.object({ url: v.string() });
const profile = v.object({ email: v.string(), firstName: v.string(), lastName: v.string() });
const outcome = v.variant("outcome", [
  v.object({
    outcome: v.literal("second_step"),
    email: v.string(),
    methods: v.array(v.picklist(["email", "authenticator", "passkey", "recovery_code"])),
  }),
  v.object({ outcome: v.literal("signed_in"), language: v.picklist(LANGUAGES) }),
  v.object({ outcome: v.literal("linked"), provider }),
  v.object({ outcome: v.literal("confirmed") }),
  v.object({ outcome: v.literal("no_account"), profile }),
]);
const linksAnswer = v.object({
  links: v.array(
    v.object({ provider, label: v.string(), email: v.string(), linkedAt: v.string(), canConfirm: v.boolean() }),
  ),
  available: v.array(provider),
});

/**
 * Signing in by identity providers, and linking them to an account. The page is redirected to the provider and posts
 * what it brings back.
 */
export function providerRoutes(identity: Identity, { secureCookies: secure }: { secureCookies: boolean }) {
  const { clientOf, startSession, completeSession, renewSession } = signInCookies(secure);
  const cookie = secure ? "__Host-provider" : "provider";
  // SameSite=Lax: the provider's redirect back is a cross-site navigation.
  const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure } as const;

  return new Hono<HttpEnv>()
    .post(
      "/api/providers/:provider/start",
      describe("Get the provider's authorization link; linking needs a recently reauthenticated session", urlAnswer),
      param(path),
      json(startInput),
      async (c) => {
        const asked = { ...c.req.valid("param"), ...c.req.valid("json") };
        const started = await identity.startProvider(asked, c.get("session"));
        if (!started.ok) return replyFailure(c, started);
        setCookie(c, cookie, started.value.cookie, { ...attributes, maxAge: VISIT_MINUTES * 60 });
        return reply(c, ok({ url: started.value.url }));
      },
    )
    .post(
      "/api/providers/:provider/finish",
      describe("Complete the return from a provider: a second step, a session, a link, or no account", outcome),
      param(path),
      json(finishInput),
      async (c) => {
        const visit = getCookie(c, cookie);
        const answer = { ...c.req.valid("param"), ...c.req.valid("json") };
        const finished = await identity.finishProvider(answer, { ...clientOf(c), visit, session: c.get("session") });
        // After BUSY the same visit can be retried, as nothing of it was used.
        if (finished.ok || finished.code !== "BUSY") deleteCookie(c, cookie, attributes);
        if (!finished.ok) return replyFailure(c, finished);
        const { value } = finished;
        switch (value.outcome) {
          case "second_step":
            startSession(c, value.token);
            return reply(c, ok({ outcome: value.outcome, email: value.email, methods: value.methods }));
          case "signed_in":
            completeSession(c, value);
            return reply(c, ok({ outcome: value.outcome, language: value.language }));
          case "confirmed":
            renewSession(c, value);
            return reply(c, ok({ outcome: value.outcome }));
          default:
            return reply(c, ok(value));
        }
      },
    )
    .get("/api/providers", describe("List the account's linked providers", linksAnswer), fullSession, async (c) =>
      reply(c, await identity.providersOf(c.get("session").accountId)),
    )
    .delete(
      "/api/providers/:provider",
      describe("Unlink the account from a provider"),
      fullSession,
      confirmedSession,
      param(path),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await identity.unlinkProvider({ accountId, ...c.req.valid("param") }, clientOf(c)));
      },
    );
}

/** Several times the size of a logout token. */
const LOGOUT_BODY_LIMIT = 32 * 1024;
const logoutForm = v.object({ logout_token: v.pipe(v.string(), v.nonEmpty(), v.maxLength(16 * 1024)) });

/** Back-channel logout. The provider calls it without session or origin: the token's signature authenticates it. */
export function providerLogoutRoutes(identity: Identity) {
  return new Hono<HttpEnv>().post(
    "/api/providers/:provider/logout",
    describe("Receive a logout token from a provider (OpenID Connect Back-Channel Logout)", v.object({})),
    wholeBody(LOGOUT_BODY_LIMIT),
    param(path),
    async (c) => {
      c.header("Cache-Control", "no-store");
      const form = v.safeParse(logoutForm, Object.fromEntries(new URLSearchParams(await c.req.text())));
      if (!form.success) return replyFailure(c, fail("SIGNATURE_INVALID"));
      return reply(c, await identity.endByLogoutToken(c.req.valid("param").provider, form.output.logout_token));
    },
  );
}
