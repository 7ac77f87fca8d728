import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { confirmedSession, fullSession, type HttpEnv } from "../../../http/session.ts";
import { byChannel } from "../../../shared/contacts.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { ok } from "../../../shared/result.ts";
import {
  changeEmailInput,
  changePasswordInput,
  deleteAccountInput,
  emailLinkInput,
  profileInput,
} from "../../account/profile_inputs.ts";
import { acceptTermsInput } from "../../inputs.ts";
import type { Identity } from "../../mod.ts";
import { needsPasswords, signInCookies } from "./client.ts";

const profile = v.object({
  firstName: v.string(),
  lastName: v.string(),
  email: v.string(),
  language: v.picklist(LANGUAGES),
  companyName: v.nullable(v.string()),
  defaultContacts: v.object(byChannel(() => v.array(v.string()))),
  createdAt: v.string(),
  pendingEmail: v.nullable(v.object({ email: v.string(), expiresAt: v.string() })),
});
const emailAnswer = v.object({ email: v.string() });
const emailLinkAnswer = v.object({
  email: v.string(),
  account: v.object({ name: v.string(), email: v.string() }),
});
const belongings = v.object({
  addresses: v.number(),
  alerts: v.number(),
  contacts: v.number(),
  subscription: v.object({ plan: v.nullable(v.string()), active: v.boolean(), bought: v.boolean() }),
  watchedBy: v.object({ items: v.array(v.object({ name: v.string(), email: v.string() })), total: v.number() }),
});
const dataExport = v.object({
  product: v.string(),
  createdAt: v.string(),
  account: v.unknown(),
  records: v.record(v.string(), v.unknown()),
  leftOut: v.record(v.string(), v.string()),
});
const termsStanding = v.object({ current: v.string(), accepted: v.nullable(v.string()) });
const nothing = v.strictObject({});

/** The signed-in account: details, password, email, data export and deletion. */
export function profileRoutes(identity: Identity, { secureCookies }: { secureCookies: boolean }) {
  const { clientOf, renewSession, endSession, forgetDevice } = signInCookies(secureCookies);

  return (
    new Hono<HttpEnv>()
      .get("/api/profile", describe("Get the account's details", profile), fullSession, async (c) =>
        reply(c, await identity.showProfile(c.get("session").accountId)),
      )
      .put(
        "/api/profile",
        describe("Replace the account's details", profile),
        fullSession,
        json(profileInput),
        async (c) =>
          reply(c, await identity.changeProfile(c.get("session").accountId, c.req.valid("json"), clientOf(c))),
      )
      .put(
        "/api/profile/password",
        describe("Change the password and end all other sessions", nothing),
        fullSession,
        needsPasswords(identity),
        confirmedSession,
        json(changePasswordInput),
        async (c) => {
          const result = await identity.changePassword(c.get("session"), c.req.valid("json"), clientOf(c));
          if (!result.ok) return reply(c, result);
          renewSession(c, result.value);
          return reply(c, ok({}));
        },
      )
      .post(
        "/api/profile/email",
        describe("Email a link that confirms a new email address", emailAnswer),
        fullSession,
        confirmedSession,
        json(changeEmailInput),
        async (c) =>
          reply(c, await identity.requestEmailChange(c.get("session").accountId, c.req.valid("json"), clientOf(c))),
      )
      .delete("/api/profile/email", describe("Cancel the pending email change", nothing), fullSession, async (c) =>
        reply(c, await identity.cancelEmailChange(c.get("session").accountId)),
      )
      .post(
        "/api/email-change/inspect",
        describe("Get the email address and account of an emailed link", emailLinkAnswer),
        json(emailLinkInput),
        async (c) => reply(c, await identity.inspectEmailChange(c.req.valid("json").token)),
      )
      .post(
        "/api/email-change/confirm",
        describe("Confirm a new email address with an emailed link", emailAnswer),
        json(emailLinkInput),
        async (c) => reply(c, await identity.confirmEmailChange(c.req.valid("json").token, clientOf(c))),
      )
      .post(
        "/api/terms/accept",
        describe("Accept the current terms", termsStanding),
        fullSession,
        json(acceptTermsInput),
        async (c) => reply(c, await identity.acceptTerms(c.get("session").accountId, c.req.valid("json"), clientOf(c))),
      )
      .get(
        "/api/profile/deletion",
        describe("Preview what deleting the account removes", belongings),
        fullSession,
        async (c) => reply(c, await identity.showDeletion(c.get("session").accountId)),
      )
      .post(
        "/api/profile/delete",
        describe("Permanently delete the account", nothing),
        fullSession,
        json(deleteAccountInput),
        async (c) => {
          const result = await identity.deleteAccount(c.get("session"), c.req.valid("json"), clientOf(c));
          if (!result.ok) return reply(c, result);
          endSession(c);
          forgetDevice(c);
          return reply(c, ok({}));
        },
      )
      // POST, as the export is recorded: other sites must not be able to trigger it.
      .post(
        "/api/profile/export",
        describe("Download everything stored about the account", dataExport),
        fullSession,
        confirmedSession,
        async (c) => {
          const result = await identity.exportData(c.get("session").accountId, clientOf(c));
          if (!result.ok) return reply(c, result);
          const day = result.value.createdAt.slice(0, 10);
          c.header("Content-Disposition", `attachment; filename="breachbell-${day}.json"`);
          return reply(c, result);
        },
      )
  );
}
