import { byChannel } from "../../src/shared/contacts.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type {
  AccessRequest,
  Association,
  AssociationDetails,
  BulkPreview,
  ConsentStory,
  MayWatch,
  SentInvitation,
  WatchedBy,
} from "../../web/api/api.ts";
import { ALICE, ago, DAY, HOUR } from "./fake_alerts.ts";

/** The fake server's permissions, besides the associations. */
export type TrackingScene = {
  associations: Association[];
  sent: SentInvitation[];
  requests: AccessRequest[];
  grants: { mayWatch: MayWatch[]; watchedBy: WatchedBy[] };
};

const NOTICE = { details: false, sensitive: false };
const EVERYTHING = { details: true, sensitive: true };

/** Some of everything. */
export function permissions(): Omit<TrackingScene, "associations"> {
  const waiting = { createdAt: ago(HOUR), sentAt: null, expiresAt: ago(-7 * DAY) };
  const sent = { createdAt: ago(DAY), sentAt: ago(DAY), expiresAt: ago(-6 * DAY) };
  const long = "a-colleague-with-a-very-long-mailbox-name@department.of-a-long-company-name.example";
  return {
    sent: [
      { id: "i1", associationId: "a11", address: "carol@example.com", kind: "invitation", ...sent },
      { id: "i2", associationId: "a12", address: long, kind: "invitation", ...waiting },
      { id: "i3", associationId: "a13", address: "alice@work.example", kind: "ownership", ...sent },
    ],
    requests: [
      {
        id: "r1",
        inviter: { name: "Pat Parent", email: "p…@example.com" },
        kind: "invitation",
        createdAt: ago(DAY),
        expiresAt: ago(-6 * DAY),
      },
      {
        id: "r2",
        inviter: { name: "A. Archer", email: "a…@example.net" },
        kind: "ownership",
        createdAt: ago(DAY),
        expiresAt: ago(-6 * DAY),
      },
    ],
    grants: {
      mayWatch: [
        {
          id: "g1",
          associationId: "a2",
          address: "bob@example.org",
          kind: "invitation",
          scope: NOTICE,
          since: ago(DAY),
        },
      ],
      watchedBy: [
        {
          id: "g2",
          kind: "invitation",
          inviter: { name: "Erin Example", email: "e…@example.org" },
          address: ALICE,
          scope: EVERYTHING,
          since: ago(DAY),
        },
      ],
    },
  };
}

function story(): ConsentStory {
  const read = { language: "en", wording: "2026-11" } as const;
  return {
    address: ALICE,
    inviter: { name: "Erin Example" },
    entries: [
      { at: ago(3 * DAY), act: "asked", by: "inviter", scope: null, ...read },
      { at: ago(2 * DAY), act: "accepted", by: "owner", scope: NOTICE, ...read },
      { at: ago(DAY), act: "scope_changed", by: "owner", scope: EVERYTHING, ...read },
    ],
  };
}

function detailsOf({ contacts, ...association }: Association): AssociationDetails {
  const { id, address, owner, consent, language, paused, suspended, scope, status } = association;
  const of = (channel: string) => contacts.filter((one) => one.channel === channel).map(({ value }) => value);
  const lists = byChannel(of);
  return { id, address, owner, consent, language, contacts: lists, paused, suspended, scope, status };
}

function previewOf(text: string, associations: Association[]): BulkPreview {
  const lines = text.split("\n").map((typed, index) => {
    const isAddress = typed.includes("@");
    const isKnown = associations.some(({ address }) => address === typed);
    const problem: ErrorCode | null = isAddress ? (isKnown ? "ADDRESS_ALREADY_TRACKED" : null) : "EMAIL_INVALID";
    return { line: index + 1, text: typed, address: isAddress ? typed : null, problem };
  });
  return { lines, addable: lines.filter(({ problem }) => problem === null).length };
}

type Call = { call: string; sent: unknown };
type Body = { ids?: string[]; paused?: boolean; text?: string; addresses?: string[]; details?: boolean };

function changed(stage: TrackingScene, change: Partial<TrackingScene>): object {
  Object.assign(stage, change);
  return {};
}

const without = <Item extends { id: string }>(items: Item[], ...ids: string[]) =>
  items.filter(({ id }) => !ids.includes(id));

/**
 * The response to a call about addresses and permissions, with its changes stored in the scene; undefined for any other
 * call.
 */
export function answerTracking(stage: TrackingScene, { call, sent }: Call): unknown {
  const body = (sent ?? {}) as Body;
  const { associations, grants } = stage;
  const [, id = ""] = /^\w+ \/api\/(?:associations|invitations|grants)\/(\w+)/.exec(call) ?? [];
  const one = associations.find((association) => association.id === id);
  const answers: Record<string, () => unknown> = {
    "GET /api/check-user-belong-association/": () => ({}),
    "POST /api/associations": () => ({ id: "a9", state: "pending" }),
    "POST /api/associations/remove": () => {
      changed(stage, { associations: without(associations, ...(body.ids ?? [])) });
      return { removed: body.ids?.length };
    },
    "POST /api/associations/keep": () => ({}),
    "POST /api/associations/bulk/preview": () => previewOf(body.text ?? "", associations),
    "POST /api/associations/bulk": () => ({ added: body.addresses?.length }),
    [`GET /api/associations/${id}`]: () => one && detailsOf(one),
    [`PUT /api/associations/${id}`]: () => one && detailsOf(one),
    [`DELETE /api/associations/${id}`]: () => changed(stage, { associations: without(associations, id) }),
    [`POST /api/associations/${id}/pause`]: () => one && Object.assign(one, { paused: body.paused }) && {},
    [`POST /api/invitations/${id}/cancel`]: () => changed(stage, { sent: without(stage.sent, id) }),
    [`POST /api/invitations/${id}/accept`]: () => changed(stage, { requests: without(stage.requests, id) }),
    [`POST /api/invitations/${id}/decline`]: () => changed(stage, { requests: without(stage.requests, id) }),
    [`GET /api/grants/${id}/record`]: () => story(),
    [`PUT /api/grants/${id}/scope`]: () => ({ scope: body }),
    [`POST /api/grants/${id}/withdraw`]: () =>
      changed(stage, { grants: { ...grants, watchedBy: without(grants.watchedBy, id) } }),
  };
  return answers[call]?.();
}
