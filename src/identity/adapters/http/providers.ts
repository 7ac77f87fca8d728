import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv } from "../../../http/session.ts";
import { ok } from "../../../shared/result.ts";
import { text } from "../../../shared/text.ts";
import { PROVIDERS } from "../../factors/factor_ports.ts";
import type { Identity } from "../../mod.ts";
import { VISIT_MINUTES } from "../../sign_in/provider_visit.ts";
import { signInCookies } from "./client.ts";

const provider = v.picklist(PROVIDERS);
const path = v.object({ provider });
const startInput = v.strictObject({ purpose: v.optional(v.picklist(["sign_in", "link"]), "sign_in") });
const finishInput = v.strictObject({
  state: text(200, "PROVIDER_REFUSED"),
  code: v.optional(v.pipe(text(4096, "PROVIDER_REFUSED"), v.nonEmpty("PROVIDER_REFUSED"))),
});
const urlAnswer = v.object({ url: v.string() });
const profile = v.object({ email: v.string(), firstName: v.string(), lastName: v.string() });
const outcome = v.variant("outcome", [
  v.object({
    outcome: v.literal("second_step"),
    email: v.string(),
    methods: v.array(v.picklist(["email", "authenticator", "passkey", "recovery_code"])),
  }),
  v.object({ outcome: v.literal("linked"), provider }),
  v.object({ outcome: v.literal("no_account"), profile }),
]);
const linksAnswer = v.object({
  links: v.array(v.object({ provider, email: v.string(), linkedAt: v.string() })),
  available: v.array(provider),
});

/**
 * Signing in with Google, GitHub or Microsoft, and linking them to an account. The page is redirected to the provider and posts
 * what it brings back.
 */
export function providerRoutes(identity: Identity, { secureCookies: secure }: { secureCookies: boolean }) {
  const { clientOf, startSession } = signInCookies(secure);
  const cookie = secure ? "__Host-provider" : "provider";
  // SameSite=Lax: the provider's redirect back is a cross-site navigation.
  const attributes = { httpOnly: true, sameSite: "Lax", path: "/", secure } as const;

  return new Hono<HttpEnv>()
    .post(
      "/api/providers/:provider/start",
      describe("Get the provider's authorization link; linking needs a recently reauthenticated session", urlAnswer),
      param(path),
      json(startInput),
      (c) => {
        const { purpose } = c.req.valid("json");
        const started = identity.startProvider({ ...c.req.valid("param"), purpose }, c.get("session"));
        if (!started.ok) return replyFailure(c, started);
        setCookie(c, cookie, started.value.cookie, { ...attributes, maxAge: VISIT_MINUTES * 60 });
        return reply(c, ok({ url: started.value.url }));
      },
    )
    .post(
      "/api/providers/:provider/finish",
      describe("Complete the return from a provider: a second step, a link, or no account", outcome),
      param(path),
      json(finishInput),
      async (c) => {
        const visit = getCookie(c, cookie);
        const answer = { ...c.req.valid("param"), ...c.req.valid("json") };
        const finished = await identity.finishProvider(answer, { ...clientOf(c), visit, session: c.get("session") });
        // After BUSY the same visit can be retried, as nothing of it was used.
        if (finished.ok || finished.code !== "BUSY") deleteCookie(c, cookie, attributes);
        if (!finished.ok) return replyFailure(c, finished);
        if (finished.value.outcome !== "second_step") return reply(c, ok(finished.value));
        const { token, ...started } = finished.value;
        startSession(c, token);
        return reply(c, ok(started));
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
