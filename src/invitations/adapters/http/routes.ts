import { Hono } from "hono";
import * as v from "valibot";
import { json, param, query } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { CONSENT_KINDS } from "../../../shared/consent.ts";
import { toldList } from "../../../shared/disclosure.ts";
import { LANGUAGES } from "../../../shared/language.ts";
import { uuid } from "../../../shared/text.ts";
import {
  agreementInput,
  linkAgreementInput,
  linkInput,
  linkRefusalInput,
  pageQuery,
  refusalInput,
} from "../../inputs.ts";
import type { Invitations } from "../../mod.ts";

const id = v.object({ id: uuid() });
const nothing = v.strictObject({});
const kind = v.picklist(CONSENT_KINDS);
const scope = v.object({ details: v.boolean(), sensitive: v.boolean() });
const inviter = v.object({ name: v.string(), email: v.string() });
const entries = v.array(
  v.object({
    at: v.string(),
    act: v.picklist([
      "asked",
      "reminded",
      "accepted",
      "declined",
      "scope_changed",
      "cancelled",
      "withdrawn",
      "expired",
    ]),
    by: v.picklist(["owner", "inviter", "system"]),
    scope: v.nullable(scope),
    language: v.picklist(LANGUAGES),
    wording: v.string(),
  }),
);
const pageNumbers = { total: v.number(), page: v.number(), pageSize: v.number() };
export const sentAnswer = v.object({
  items: v.array(
    v.object({
      id: v.string(),
      associationId: v.string(),
      address: v.string(),
      kind,
      createdAt: v.string(),
      sentAt: v.nullable(v.string()),
      expiresAt: v.string(),
    }),
  ),
  ...pageNumbers,
});
export const requestsAnswer = v.object({
  items: v.array(v.object({ id: v.string(), inviter, kind, createdAt: v.string(), expiresAt: v.string() })),
  ...pageNumbers,
});
const grant = { id: v.string(), address: v.string(), scope, since: v.string() };
export const mayWatchAnswer = v.object({
  items: v.array(v.object({ ...grant, associationId: v.string(), kind })),
  ...pageNumbers,
});
export const watchedByAnswer = v.object({
  items: v.array(v.object({ ...grant, inviter, kind: v.picklist([...CONSENT_KINDS, "own"]) })),
  ...pageNumbers,
});
const recordAnswer = v.object({ address: v.string(), inviter: v.object({ name: v.string() }), entries });
const scopeAnswer = v.object({ scope });
const linkAnswer = v.object({
  purpose: v.picklist(["answer", "manage"]),
  kind,
  state: v.picklist(["pending", "accepted"]),
  inviter,
  address: v.string(),
  scope: v.nullable(scope),
  language: v.picklist(LANGUAGES),
  expiresAt: v.nullable(v.string()),
  wording: v.string(),
  record: entries,
  told: toldList,
});

/** Asking for consent and answering, with an account. */
function accountRoutes(invitations: Invitations) {
  return new Hono<HttpEnv>()
    .get(
      "/api/invitations/sent",
      describe("List pending invitations", sentAnswer),
      fullSession,
      query(pageQuery),
      async (c) => reply(c, await invitations.sentInvitations(c.get("session").accountId, c.req.valid("query").page)),
    )
    .post(
      "/api/invitations/:id/cancel",
      describe("Cancel a pending invitation", nothing),
      fullSession,
      param(id),
      json(nothing),
      async (c) => reply(c, await invitations.cancelInvitation(c.get("session").accountId, c.req.valid("param").id)),
    )
    .get(
      "/api/invitations/requests",
      describe("List requests to check the account's own address", requestsAnswer),
      fullSession,
      query(pageQuery),
      async (c) => reply(c, await invitations.accessRequests(c.get("session").accountId, c.req.valid("query").page)),
    )
    .post(
      "/api/invitations/:id/accept",
      describe("Accept a request to check the account's own address, within a scope", scopeAnswer),
      fullSession,
      param(id),
      json(agreementInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await invitations.acceptRequest(accountId, c.req.valid("param").id, c.req.valid("json")));
      },
    )
    .post(
      "/api/invitations/:id/decline",
      describe("Decline; with `block`, permanently", nothing),
      fullSession,
      param(id),
      json(refusalInput),
      async (c) => {
        const { accountId } = c.get("session");
        const { block } = c.req.valid("json");
        return reply(c, await invitations.declineRequest(accountId, c.req.valid("param").id, block));
      },
    );
}

/** Granted consents, with an account. */
function grantRoutes(invitations: Invitations) {
  return new Hono<HttpEnv>()
    .get(
      "/api/grants/may-watch",
      describe("List the permissions granted to the account", mayWatchAnswer),
      fullSession,
      query(pageQuery),
      async (c) => reply(c, await invitations.listMayWatch(c.get("session").accountId, c.req.valid("query").page)),
    )
    .get(
      "/api/grants/watched-by",
      describe("List who may check the account's own address", watchedByAnswer),
      fullSession,
      query(pageQuery),
      async (c) => reply(c, await invitations.listWatchedBy(c.get("session").accountId, c.req.valid("query").page)),
    )
    .post(
      "/api/grants/:id/withdraw",
      describe("Withdraw the consent to check the account's own address; with `block`, permanently", nothing),
      fullSession,
      param(id),
      json(refusalInput),
      async (c) => {
        const { accountId } = c.get("session");
        const { block } = c.req.valid("json");
        return reply(c, await invitations.withdrawGrant(accountId, c.req.valid("param").id, block));
      },
    )
    .put(
      "/api/grants/:id/scope",
      describe("Change what someone may see about the account's own address", scopeAnswer),
      fullSession,
      param(id),
      json(agreementInput),
      async (c) => {
        const { accountId } = c.get("session");
        return reply(c, await invitations.rescopeGrant(accountId, c.req.valid("param").id, c.req.valid("json")));
      },
    )
    .get(
      "/api/grants/:id/record",
      describe("Get the record of a consent", recordAnswer),
      fullSession,
      param(id),
      async (c) => reply(c, await invitations.consentRecord(c.get("session").accountId, c.req.valid("param").id)),
    );
}

/** Answers through a mailed link: the token is in the body, and no account is needed. */
function linkRoutes(invitations: Invitations) {
  return new Hono<HttpEnv>()
    .post(
      "/api/invitation-links/inspect",
      describe("Get what an emailed link is about", linkAnswer),
      json(linkInput),
      async (c) => reply(c, await invitations.inspectLink(c.req.valid("json").token)),
    )
    .post(
      "/api/invitation-links/accept",
      describe(
        "Accept within a scope; the token in the response manages the consent",
        v.object({ manageToken: v.string(), scope }),
      ),
      json(linkAgreementInput),
      async (c) => {
        const { token, ...agreement } = c.req.valid("json");
        return reply(c, await invitations.acceptLink(token, agreement));
      },
    )
    .post(
      "/api/invitation-links/decline",
      describe("Decline; with `block`, permanently", nothing),
      json(linkRefusalInput),
      async (c) => reply(c, await invitations.declineLink(c.req.valid("json").token, c.req.valid("json").block)),
    )
    .post(
      "/api/invitation-links/scope",
      describe("Changes what may be seen", scopeAnswer),
      json(linkAgreementInput),
      async (c) => {
        const { token, ...agreement } = c.req.valid("json");
        return reply(c, await invitations.rescopeLink(token, agreement));
      },
    )
    .post(
      "/api/invitation-links/withdraw",
      describe("Withdraw the consent; with `block`, permanently", nothing),
      json(linkRefusalInput),
      async (c) => reply(c, await invitations.withdrawLink(c.req.valid("json").token, c.req.valid("json").block)),
    );
}

export function invitationRoutes(invitations: Invitations) {
  return new Hono<HttpEnv>()
    .route("/", accountRoutes(invitations))
    .route("/", grantRoutes(invitations))
    .route("/", linkRoutes(invitations));
}
