import type { ConsentLink, Monitoring } from "../../web/api/api.ts";
import { ago, alerts, DAY, HOUR } from "./fake_alerts.ts";

export const OWNER = "dana.duval@example.org";

/** A link that asks for consent. */
export function consentLink(more: Partial<ConsentLink> = {}): ConsentLink {
  const asked = { at: ago(DAY), act: "asked", by: "inviter", scope: null, language: "en", wording: "2026-11" } as const;
  return {
    purpose: "answer",
    kind: "invitation",
    state: "pending",
    inviter: { name: "Alice Archer", email: "a…@example.com" },
    address: OWNER,
    scope: null,
    language: "en",
    expiresAt: ago(-6 * DAY),
    wording: "2026-11",
    record: [asked],
    told: [],
    ...more,
  };
}

/** The link after accepting. */
export function grantedLink(more: Partial<ConsentLink> = {}): ConsentLink {
  const { record } = consentLink();
  const scope = { details: true, sensitive: false };
  const given = { at: ago(HOUR), act: "accepted", by: "owner", scope, language: "de", wording: "2026-11" } as const;
  const agreed = { purpose: "manage", state: "accepted", expiresAt: null, scope } as const;
  const told = [{ source: "hibp", form: "hash_prefix" as const, firstAt: ago(DAY), lastAt: ago(HOUR), times: 3 }];
  return { ...consentLink(), ...agreed, record: [...record, given], told, ...more };
}

type Input = { details: boolean; sensitive: boolean };

/** The server's side of a consent link, which stores the answer. */
export function answerConsent(link: ConsentLink, call: string, body: unknown): unknown {
  const { details, sensitive } = (body ?? {}) as Input;
  const scope = { details, sensitive };
  if (call === "POST /api/invitation-links/inspect") return link;
  if (call === "POST /api/invitation-links/accept") {
    Object.assign(link, grantedLink({ kind: link.kind, scope }));
    return { manageToken: "v1.id.mac", scope };
  }
  if (call === "POST /api/invitation-links/scope") {
    const act = { at: ago(0), act: "scope_changed", by: "owner", scope, language: "en", wording: "2026-11" } as const;
    Object.assign(link, { scope, record: [...link.record, act] });
    return { scope };
  }
  return ["POST /api/invitation-links/decline", "POST /api/invitation-links/withdraw"].includes(call) ? {} : undefined;
}

/** The monitoring of an own address, in several breaches. */
export function monitoring(more: Partial<Monitoring> = {}): Monitoring {
  const findings = alerts().map(({ id, state, version, raisedAt, breach, sources }) => ({
    alertId: id,
    state,
    version,
    foundAt: raisedAt,
    breach,
    sources,
    foundUnder: [],
  }));
  return {
    address: "alice.archer@example.com",
    owner: true,
    associationId: "a1",
    managedBy: null,
    status: "breached",
    scope: { details: true, sensitive: true },
    since: ago(400 * DAY),
    checkedAt: ago(3 * HOUR),
    nextCheckAt: ago(-21 * HOUR),
    pending: findings.filter(({ state }) => state === "pending").length,
    findings,
    progress: { done: 5, advised: 18 },
    told: [{ source: "hibp", form: "hash_prefix", firstAt: ago(400 * DAY), lastAt: ago(3 * HOUR), times: 58 }],
    ...more,
  };
}

/** The same in breaches of many years, some of them quiet. */
export function longStory(more: Partial<Monitoring> = {}): Monitoring {
  const { findings } = monitoring();
  const years = [2024, 2023, 2021, 2021, 2019, 2016, 2013, 2012, 2011, 2008];
  const told = years.flatMap((year, place) => {
    const finding = findings[place % findings.length];
    if (!finding?.breach) return [];
    const { breach } = finding;
    return {
      ...finding,
      alertId: `${finding.alertId}${year}${place}`,
      breach: { ...breach, name: `${breach.name}${place}`, breachDate: `${year}-03-0${(place % 9) + 1}` },
    };
  });
  const pending = told.filter(({ state }) => state === "pending").length;
  return monitoring({ findings: told, pending, ...more });
}

/** In two breaches whose stolen data no catalogue lists. */
export function unexplained(): Monitoring {
  const findings = monitoring().findings.slice(0, 2);
  return monitoring({
    findings: findings.map((one) => ({ ...one, breach: one.breach && { ...one.breach, dataClasses: [], flags: [] } })),
    pending: 2,
  });
}

/** As shown to an account with which the owner shares no details. */
export function undisclosed(): Monitoring {
  const { findings } = monitoring();
  const scope = { details: false, sensitive: false };
  return monitoring({
    address: OWNER,
    owner: false,
    scope,
    findings: findings.slice(0, 2).map((finding) => ({ ...finding, breach: null })),
    pending: 2,
  });
}

/** As shown to the owner of an address that another account tracks. */
export function managed(): Monitoring {
  const { findings } = monitoring();
  const seen = findings.map((finding) => ({ ...finding, alertId: null, state: null, version: null }));
  return monitoring({ associationId: null, managedBy: { name: "Pat Parent" }, pending: 0, findings: seen });
}
