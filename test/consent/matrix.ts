import { ALICE, ALL, BOB, settingsFor } from "./consent_world.ts";
import { ALERT_ROWS } from "./matrix_alerts.ts";
import {
  asOwner,
  breachesOf,
  byLink,
  DENIED,
  everyone,
  INVALID,
  isAgreed,
  isOver,
  isPending,
  isThere,
  isWaitingOrAgreed,
  monitoringAnswer,
  type Named,
  NOT_FOUND,
  OK,
  own,
  type Row,
  sees,
  signedIn,
  told,
  tracesAnswer,
  trackAnswer,
} from "./matrix_answers.ts";

const settings = settingsFor(ALICE);
const association = ({ associationId }: Named) => `/api/associations/${associationId}`;
const invitation = ({ invitationId }: Named) => `/api/invitations/${invitationId}`;
const grant = ({ invitationId }: Named) => `/api/grants/${invitationId}`;
const link =
  (act: string, body: object = {}) =>
  ({ token }: Named) => ({ path: `/api/invitation-links/${act}`, body: { token, ...body } });
const none = { items: [], total: 0 };
const ALIAS = "bob@alias.example";

/** Every API call about tracking, invitations, consent, monitoring and alerts. */
export const ROWS: Record<string, Row | Row[]> = {
  "get /api/check-aggiungere-email/": {
    send: () => ({ path: "/api/check-aggiungere-email/" }),
    answer: everyone,
    shows: (cell) => ({ can_add_more: !isOver(cell) }),
  },
  "get /api/check-user-belong-association/": {
    send: ({ associationId }) => ({ path: `/api/check-user-belong-association/?association_id=${associationId}` }),
    answer: signedIn((cell) => (isThere(cell) ? OK : DENIED)),
    shows: () => ({}),
  },
  "get /api/check-user-autorizzato-monitoraggio/": {
    send: () => ({ path: `/api/check-user-autorizzato-monitoraggio/?child_email=${BOB}` }),
    answer: signedIn(monitoringAnswer),
    shows: () => ({}),
  },
  "get /api/associations": {
    send: () => ({ path: "/api/associations" }),
    answer: everyone,
    shows: (cell, { associationId }) => {
      const status = cell.state === "accepted" ? "breached" : "inactive";
      const item = { id: associationId, address: BOB, status, scope: cell.scope, pendingAlerts: told(cell).length };
      return sees(cell) ? { items: [item], total: 1 } : { ...none, capacity: { used: isThere(cell) ? 1 : 0 } };
    },
  },
  "post /api/associations": {
    send: () => ({ path: "/api/associations", body: { ...settings, address: BOB } }),
    answer: signedIn(trackAnswer),
    shows: ({ role }) => ({ state: role === "watched person" ? "watching" : "pending" }),
  },
  "post /api/associations/bulk/preview": {
    send: () => ({ path: "/api/associations/bulk/preview", body: { text: BOB } }),
    answer: everyone,
    shows: (cell) => {
      const problem = isThere(cell) ? "ADDRESS_ALREADY_TRACKED" : (trackAnswer(cell).split(" ")[1] ?? null);
      return { lines: [{ line: 1, text: BOB, address: BOB, problem }], addable: problem === null ? 1 : 0 };
    },
  },
  "post /api/associations/bulk": {
    send: () => ({ path: "/api/associations/bulk", body: { ...settings, addresses: [BOB] } }),
    answer: signedIn(trackAnswer),
    shows: () => ({ added: 1 }),
  },
  "post /api/associations/remove": {
    send: ({ associationId }) => ({ path: "/api/associations/remove", body: { ids: [associationId] } }),
    answer: everyone,
    shows: (cell) => ({ removed: isThere(cell) ? 1 : 0 }),
  },
  "post /api/associations/keep": {
    send: ({ associationId }) => ({ path: "/api/associations/keep", body: { ids: [associationId] } }),
    answer: everyone,
    shows: () => ({}),
  },
  "get /api/associations/{id}": {
    send: (named) => ({ path: association(named) }),
    answer: signedIn(own),
    shows: (cell) => ({
      address: BOB,
      consent: sees(cell) ? "granted" : "pending",
      ...(!sees(cell) && { status: null }),
    }),
  },
  "put /api/associations/{id}": {
    send: (named) => ({ path: association(named), body: { ...settings, paused: false } }),
    answer: signedIn(own),
    shows: () => ({ address: BOB, owner: false, paused: false }),
  },
  "post /api/associations/{id}/pause": {
    send: (named) => ({ path: `${association(named)}/pause`, body: { paused: true } }),
    answer: signedIn(own),
  },
  "delete /api/associations/{id}": { send: (named) => ({ path: association(named) }), answer: signedIn(own) },
  // Only an account's own address has aliases, and none of those that others agreed to.
  "get /api/associations/{id}/aliases": {
    send: (named) => ({ path: `${association(named)}/aliases` }),
    answer: signedIn(() => NOT_FOUND),
  },
  "post /api/associations/{id}/aliases": {
    send: (named) => ({ path: `${association(named)}/aliases`, body: { addresses: [ALIAS] } }),
    answer: signedIn(() => NOT_FOUND),
  },
  "post /api/associations/{id}/aliases/import": [
    {
      send: (named) => ({ path: `${association(named)}/aliases/import`, body: { from: "text", text: ALIAS } }),
      answer: signedIn(() => NOT_FOUND),
    },
    {
      send: (named) => ({ path: `${association(named)}/aliases/import`, body: { from: "addy", key: "k" } }),
      answer: signedIn(() => NOT_FOUND),
    },
  ],
  "delete /api/associations/{id}/aliases/{aliasId}": {
    send: (named) => ({ path: `${association(named)}/aliases/${named.invitationId}` }),
    answer: signedIn(() => NOT_FOUND),
  },
  "post /api/aliases/inspect": {
    send: ({ token }) => ({ path: "/api/aliases/inspect", body: { token } }),
    answer: () => "410 LINK_INVALID",
  },
  "post /api/aliases/confirm": {
    send: ({ token }) => ({ path: "/api/aliases/confirm", body: { token } }),
    answer: () => "410 LINK_INVALID",
  },
  "get /api/invitations/sent": {
    send: () => ({ path: "/api/invitations/sent" }),
    answer: everyone,
    shows: (cell, { associationId, invitationId: id }) =>
      isThere(cell) && !sees(cell) ? { items: [{ id, associationId, address: BOB }], total: 1 } : none,
  },
  "post /api/invitations/{id}/cancel": {
    send: (named) => ({ path: `${invitation(named)}/cancel`, body: {} }),
    answer: signedIn((cell) => {
      if (cell.role === "blocked inviter") return OK;
      return cell.role !== "inviter" ? NOT_FOUND : isPending(cell) ? OK : INVALID;
    }),
  },
  "get /api/invitations/requests": {
    send: () => ({ path: "/api/invitations/requests" }),
    answer: everyone,
    shows: (cell, { invitationId: id }) =>
      cell.role === "watched person" && isPending(cell)
        ? { items: [{ id, inviter: { name: "Alice Keller" } }], total: 1 }
        : none,
  },
  "post /api/invitations/{id}/accept": {
    send: (named) => ({ path: `${invitation(named)}/accept`, body: ALL }),
    answer: asOwner(isPending),
    shows: () => ({ scope: ALL }),
  },
  "post /api/invitations/{id}/decline": {
    send: (named) => ({ path: `${invitation(named)}/decline`, body: { block: true } }),
    answer: asOwner(isPending),
  },
  "get /api/grants/may-watch": {
    send: () => ({ path: "/api/grants/may-watch" }),
    answer: everyone,
    shows: (cell, { associationId, invitationId: id }) =>
      sees(cell) ? { items: [{ id, associationId, address: BOB, scope: cell.scope }], total: 1 } : none,
  },
  "get /api/grants/watched-by": {
    send: () => ({ path: "/api/grants/watched-by" }),
    answer: everyone,
    shows: (cell, { invitationId: id }) =>
      cell.role === "watched person" && isAgreed(cell)
        ? { items: [{ id, inviter: { name: "Alice Keller" }, address: BOB, scope: cell.scope }], total: 1 }
        : none,
  },
  "post /api/grants/{id}/withdraw": {
    send: (named) => ({ path: `${grant(named)}/withdraw`, body: { block: true } }),
    answer: asOwner(isAgreed),
  },
  "put /api/grants/{id}/scope": {
    send: (named) => ({ path: `${grant(named)}/scope`, body: ALL }),
    answer: asOwner(isAgreed),
    shows: () => ({ scope: ALL }),
  },
  "get /api/grants/{id}/record": {
    send: (named) => ({ path: `${grant(named)}/record` }),
    answer: signedIn((cell) => {
      const isAnswered = isAgreed(cell) || cell.state === "declined" || cell.state === "withdrawn";
      return isAnswered && (cell.role === "inviter" || cell.role === "watched person") ? OK : NOT_FOUND;
    }),
    shows: () => ({ address: BOB, inviter: { name: "Alice Keller" } }),
  },
  "post /api/invitation-links/inspect": {
    send: link("inspect"),
    answer: byLink(isWaitingOrAgreed),
    shows: (cell) => ({ purpose: isPending(cell) ? "answer" : "manage", address: BOB, scope: cell.scope ?? null }),
  },
  "post /api/invitation-links/accept": {
    send: link("accept", ALL),
    answer: byLink(isPending),
    shows: () => ({ scope: ALL }),
  },
  "post /api/invitation-links/decline": { send: link("decline", { block: true }), answer: byLink(isPending) },
  "post /api/invitation-links/scope": {
    send: link("scope", ALL),
    answer: byLink(isAgreed),
    shows: () => ({ scope: ALL }),
  },
  "post /api/invitation-links/withdraw": { send: link("withdraw", { block: true }), answer: byLink(isAgreed) },
  "get /api/monitoring/traces": {
    send: () => ({ path: `/api/monitoring/traces?child_email=${BOB}` }),
    answer: signedIn(tracesAnswer),
    shows: () => ({ address: BOB, askedAt: null }),
  },
  "post /api/monitoring/traces": {
    send: () => ({ path: "/api/monitoring/traces", body: { address: BOB } }),
    answer: signedIn(tracesAnswer),
    shows: () => ({ address: BOB, sites: [], pastes: [] }),
  },
  "put /api/monitoring/traces/sites": {
    send: () => ({ path: "/api/monitoring/traces/sites", body: { address: BOB, site: "a.example", done: true } }),
    answer: signedIn((cell) => (tracesAnswer(cell) === OK ? NOT_FOUND : tracesAnswer(cell))),
  },
  "get /api/monitoring": {
    send: () => ({ path: `/api/monitoring?child_email=${BOB}` }),
    answer: signedIn(monitoringAnswer),
    shows: (cell, { associationId }) =>
      cell.role === "watched person"
        ? {
            address: BOB,
            associationId: null,
            managedBy: { name: "Alice Keller" },
            scope: ALL,
            pending: 0,
            findings: breachesOf(["Adobe", "Affairs"]),
          }
        : {
            address: BOB,
            associationId,
            managedBy: null,
            scope: cell.scope,
            pending: told(cell).length,
            findings: breachesOf(told(cell)),
          },
  },
  ...ALERT_ROWS,
};
