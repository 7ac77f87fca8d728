import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply, replyFailure } from "../../../http/reply.ts";
import { type AuthLevel, fullSession, type HttpEnv } from "../../../http/session.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { ok } from "../../../shared/result.ts";
import {
  forgotPasswordInput,
  loginInput,
  registerInput,
  registrationLinkInput,
  resetLinkInput,
  resetPasswordInput,
  verifyCodeInput,
} from "../../inputs.ts";
import type { Identity } from "../../mod.ts";
import { needsPasswords, signInCookies } from "./client.ts";

const authLevel = v.object({ auth_level: v.picklist(["unauthenticated", "partial", "authenticated"]) });
const emailAnswer = v.object({ email: v.string() });
const registrationLinkAnswer = v.object({ email: v.nullable(v.string()), staff: v.boolean() });
const methods = v.array(v.picklist(["email", "authenticator", "passkey", "recovery_code"]));
const startedAnswer = v.object({ email: v.string(), methods });
const underWay = v.object({
  email: v.string(),
  methods,
  resendAfter: v.pipe(v.number(), v.integer()),
  mailDelayed: v.boolean(),
});
const languageAnswer = v.object({ language: v.picklist(LANGUAGES) });
const retryAnswer = v.object({ retryAfter: v.pipe(v.number(), v.integer()) });
const terms = v.object({ current: v.string(), accepted: v.nullable(v.string()) });
const profile = v.object({
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  language: v.picklist(LANGUAGES),
  companyName: v.nullable(v.string()),
  staff: v.boolean(),
  terms,
});
/** Where the browser ends the session at the provider, too. */
const loggedOut = v.object({ url: v.nullable(v.string()) });
const nothing = v.strictObject({});

/** Registration, signing in and out, password reset, and the current user. */
export function identityRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf, keepDevice, startSession, completeSession, endSession } = signInCookies(secureCookies);

  const withPasswords = needsPasswords(identity);

  return new Hono<HttpEnv>()
    .post(
      "/api/register",
      describe("Create an account", emailAnswer, 201),
      withPasswords,
      json(registerInput),
      async (c) => reply(c, await identity.register(c.req.valid("json"), clientOf(c)), 201),
    )
    .post(
      "/api/register/inspect",
      describe("Get what a link of the operator allows", registrationLinkAnswer),
      json(registrationLinkInput),
      async (c) => reply(c, await identity.inspectInvitation(c.req.valid("json").invitation)),
    )
    .post(
      "/api/login",
      describe("Log in with the password; the second step follows", startedAnswer),
      withPasswords,
      json(loginInput),
      async (c) => {
        const result = await identity.login(c.req.valid("json"), clientOf(c));
        if (!result.ok) return replyFailure(c, result);
        const { token, email, methods } = result.value;
        startSession(c, token);
        return reply(c, ok({ email, methods }));
      },
    )
    .get("/api/sign-in", describe("Get the login that is waiting for its second step", underWay), async (c) =>
      reply(c, await identity.signInUnderWay(c.get("sessionToken"))),
    )
    .post(
      "/api/verify-code",
      describe("Complete the login with the emailed code", languageAnswer),
      json(verifyCodeInput),
      async (c) => {
        const result = await identity.verifyCode(c.req.valid("json"), clientOf(c));
        if (result.ok) completeSession(c, result.value);
        return reply(c, result.ok ? ok({ language: result.value.language }) : result);
      },
    )
    .post("/api/resend-code", describe("Email a new code", retryAnswer), json(nothing), async (c) =>
      reply(c, await identity.resendCode(c.get("sessionToken"), clientOf(c))),
    )
    .post("/api/logout", describe("Log out", loggedOut), json(nothing), async (c) => {
      const result = await identity.logout(clientOf(c));
      endSession(c);
      return reply(c, result.ok ? ok({ url: result.value.url ?? null }) : result);
    })
    .post(
      "/api/forgot-password",
      describe("Email a password reset link, if the account exists", emailAnswer),
      withPasswords,
      json(forgotPasswordInput),
      async (c) => reply(c, await identity.forgotPassword(c.req.valid("json"), clientOf(c))),
    )
    .post(
      "/api/reset-password/check",
      describe("Check whether an emailed link still works", nothing),
      withPasswords,
      json(resetLinkInput),
      async (c) => reply(c, await identity.checkResetLink(c.req.valid("json").token)),
    )
    .post(
      "/api/reset-password",
      describe("Set a new password with an emailed link and end all sessions", nothing),
      withPasswords,
      json(resetPasswordInput),
      async (c) => {
        const result = await identity.resetPassword(c.req.valid("json"), clientOf(c));
        if (result.ok) keepDevice(c, result.value?.deviceToken);
        return reply(c, result.ok ? ok({}) : result);
      },
    )
    .get("/api/me", describe("Get the current account", profile), fullSession, async (c) =>
      reply(c, await identity.profileOf(c.get("session").accountId)),
    )
    .get("/api/check-user-authentication/", describe("Get the authentication level", authLevel), (c) => {
      const level: AuthLevel = c.get("session")?.level ?? "unauthenticated";
      return c.json({ auth_level: level });
    });
}
