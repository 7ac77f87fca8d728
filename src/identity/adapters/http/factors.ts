import { type Context, Hono } from "hono";
import * as v from "valibot";
import { json, param } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv, type SignedInEnv } from "../../../http/session.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { ok, type Result } from "../../../shared/result.ts";
import { text } from "../../../shared/text.ts";
import {
  addPasskeyInput,
  passkeyNameInput,
  recoveryCodeInput,
  verifyPasskeyInput,
} from "../../factors/factor_inputs.ts";
import { verifyCodeInput } from "../../inputs.ts";
import type { Identity } from "../../mod.ts";
import type { Completed } from "../../sign_in/second_step.ts";
import { signInCookies } from "./client.ts";

const nothing = v.strictObject({});
const languageAnswer = v.object({ language: v.picklist(LANGUAGES) });
const codes = v.array(v.string());
const withCodes = v.object({ recoveryCodes: v.nullable(codes) });
const options = v.looseObject({ challenge: v.string() });
const id = v.object({ id: v.pipe(text(1364), v.regex(/^[\w-]+$/)) });
const factors = v.object({
  authenticator: v.nullable(v.object({ since: v.string() })),
  passkeys: v.array(
    v.object({ id: v.string(), name: v.string(), createdAt: v.string(), lastUsedAt: v.nullable(v.string()) }),
  ),
  recoveryCodes: v.pipe(v.number(), v.integer()),
  mailboxLeaked: v.boolean(),
});

/** Second steps other than the mailed code. */
function verifyRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf, completeSession } = signInCookies(secureCookies);
  function completed(c: Context, result: Result<Completed>) {
    if (!result.ok) return reply(c, result as Result<{ language: Completed["language"] }>);
    completeSession(c, result.value);
    return reply(c, ok({ language: result.value.language }));
  }

  return new Hono<HttpEnv>()
    .post(
      "/api/verify-authenticator",
      describe("Complete the login with an authenticator app's code", languageAnswer),
      json(verifyCodeInput),
      async (c) => completed(c, await identity.verifyAuthenticator(c.req.valid("json"), clientOf(c))),
    )
    .post(
      "/api/verify-recovery-code",
      describe("Complete the login with a recovery code, which is then used up", languageAnswer),
      json(recoveryCodeInput),
      async (c) => completed(c, await identity.verifyRecoveryCode(c.req.valid("json"), clientOf(c))),
    )
    .post(
      "/api/verify-passkey/options",
      describe("Get the challenge for logging in with a passkey", options),
      json(nothing),
      async (c) => reply(c, await identity.passkeyRequestOptions(clientOf(c))),
    )
    .post(
      "/api/verify-passkey",
      describe("Complete the login with a passkey", languageAnswer),
      json(verifyPasskeyInput),
      async (c) => completed(c, await identity.verifyPasskey(c.req.valid("json"), clientOf(c))),
    );
}

/** Managing authenticator apps, passkeys and recovery codes, and signing in with them. */
export function factorRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf } = signInCookies(secureCookies);
  function holderOf(c: Context<HttpEnv & SignedInEnv>) {
    const { accountId, sessionId } = c.get("session");
    return { accountId, sessionId, client: clientOf(c) };
  }

  return new Hono<HttpEnv>()
    .route("/", verifyRoutes(identity, { secureCookies }))
    .get("/api/factors", describe("List the account's second factors", factors), fullSession, async (c) =>
      reply(c, await identity.factorsOf(c.get("session").accountId)),
    )
    .post(
      "/api/factors/authenticator",
      describe("Create a secret for an authenticator app", v.object({ secret: v.string(), uri: v.string() })),
      fullSession,
      confirmedSession,
      json(nothing),
      async (c) => reply(c, await identity.addAuthenticator(holderOf(c))),
    )
    .post(
      "/api/factors/authenticator/confirm",
      describe("Confirm the authenticator app with its first code", withCodes),
      fullSession,
      confirmedSession,
      json(verifyCodeInput),
      async (c) => reply(c, await identity.confirmAuthenticator(c.req.valid("json"), holderOf(c))),
    )
    .delete(
      "/api/factors/authenticator",
      describe("Remove the authenticator app", nothing),
      fullSession,
      confirmedSession,
      async (c) => reply(c, await identity.removeAuthenticator(holderOf(c))),
    )
    .post(
      "/api/factors/passkeys/options",
      describe("Get the options for creating a passkey", options),
      fullSession,
      confirmedSession,
      json(nothing),
      async (c) => reply(c, await identity.passkeyCreationOptions(holderOf(c))),
    )
    .post(
      "/api/factors/passkeys",
      describe("Add the passkey that the browser created", withCodes),
      fullSession,
      confirmedSession,
      json(addPasskeyInput),
      async (c) => reply(c, await identity.addPasskey(c.req.valid("json"), holderOf(c))),
    )
    .put(
      "/api/factors/passkeys/:id",
      describe("Rename a passkey", nothing),
      fullSession,
      param(id),
      json(passkeyNameInput),
      async (c) =>
        reply(
          c,
          await identity.renamePasskey(c.req.valid("param").id, { ...c.req.valid("json"), holder: holderOf(c) }),
        ),
    )
    .delete(
      "/api/factors/passkeys/:id",
      describe("Remove a passkey", nothing),
      fullSession,
      confirmedSession,
      param(id),
      async (c) => reply(c, await identity.removePasskey(c.req.valid("param").id, holderOf(c))),
    )
    .post(
      "/api/factors/recovery-codes",
      describe("Create new recovery codes; the previous ones stop working", v.object({ recoveryCodes: codes })),
      fullSession,
      confirmedSession,
      json(nothing),
      async (c) => reply(c, await identity.makeRecoveryCodes(holderOf(c))),
    );
}
