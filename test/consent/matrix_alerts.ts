import { BOB } from "./consent_world.ts";
import {
  alertAnswer,
  alertShown,
  breachesOf,
  everyone,
  type Named,
  NOT_FOUND,
  OK,
  type Row,
  sees,
  signedIn,
  told,
} from "./matrix_answers.ts";

/** Every API call about alerts and the bell. */
export const ALERT_ROWS: Record<string, Row | Row[]> = {
  "get /api/alerts": {
    send: () => ({ path: "/api/alerts" }),
    answer: everyone,
    shows: (cell) => {
      const items = sees(cell) ? breachesOf(told(cell)) : [];
      return { items, total: items.length, pending: items.length };
    },
  },
  "get /api/alerts/facets": {
    send: () => ({ path: "/api/alerts/facets" }),
    answer: everyone,
    shows: (cell) => facetsOf(sees(cell) ? told(cell) : []),
  },
  "get /api/alerts/figures": {
    send: () => ({ path: "/api/alerts/figures" }),
    answer: everyone,
    shows: (cell) => figuresOf(sees(cell) ? told(cell) : []),
  },
  "get /api/alerts.csv": {
    send: () => ({ path: "/api/alerts.csv?language=en&search=b" }),
    answer: everyone,
    shows: (cell) => ({ records: 1 + (sees(cell) ? told(cell).length : 0) }),
  },
  "get /api/bell": {
    send: () => ({ path: "/api/bell" }),
    answer: everyone,
    shows: (cell) => {
      const items = sees(cell) ? breachesOf(told(cell)) : [];
      return { items, fresh: items.length, seenAt: null };
    },
  },
  "post /api/bell/seen": {
    send: () => ({ path: "/api/bell/seen", body: { until: "2030-01-01T00:00:00Z" } }),
    answer: everyone,
    shows: () => ({ fresh: 0 }),
  },
  "post /api/alerts/handle": several("handle", { reason: "already_known", note: "Told by phone" }),
  "post /api/alerts/reopen": several("reopen"),
  "put /api/alerts/{id}/steps": (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }) => ({ path: `/api/alerts/${alerts[name]}/steps`, body: { step: "phishing", done: true } }),
    // The recommended steps reveal what was stolen.
    answer: signedIn((cell) => (cell.scope?.details ? alertAnswer(name)(cell) : NOT_FOUND)),
    shows: () => ({ steps: ["phishing"] }),
  })),
  "put /api/alerts/{id}/password": (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }) => ({ path: `/api/alerts/${alerts[name]}/password`, body: { changed: "before" } }),
    answer: signedIn((cell) => (cell.scope?.details ? alertAnswer(name)(cell) : NOT_FOUND)),
    shows: () => ({ steps: [], changedSince: "before" }),
  })),
  // A letter names the breach.
  "get /api/alerts/{id}/letter": (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }) => ({ path: `/api/alerts/${alerts[name]}/letter?country=DE` }),
    answer: signedIn((cell) => (cell.scope?.details ? alertAnswer(name)(cell) : NOT_FOUND)),
    shows: () => ({ address: BOB }),
  })),
  "post /api/alerts/{id}/letters": (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }) => ({ path: `/api/alerts/${alerts[name]}/letters`, body: letter() }),
    answer: signedIn((cell) => {
      const answer = cell.scope?.details ? alertAnswer(name)(cell) : NOT_FOUND;
      return answer === OK ? "201" : answer;
    }),
    shows: () => ({ address: BOB, company: "Contoso" }),
  })),
  // For another account's alert, or a hidden one, the list of messages is empty: its existence does not show.
  "get /api/alerts/{id}/deliveries": (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }) => ({ path: `/api/alerts/${alerts[name]}/deliveries` }),
    answer: everyone,
    shows: (cell) => ({ items: alertAnswer(name)(cell) === OK ? [{}] : [] }),
  })),
  ...alertRows("get /api/alerts/{id}", (id) => ({ path: `/api/alerts/${id}` })),
  ...alertRows("post /api/alerts/{id}/handle", (id) => ({ path: `/api/alerts/${id}/handle`, body: { version: 1 } })),
  ...alertRows("post /api/alerts/{id}/reopen", (id) => ({ path: `/api/alerts/${id}/reopen`, body: { version: 1 } })),
};

function letter() {
  const sentOn = "2026-11-19";
  return { company: "Contoso", asks: ["access"], country: "DE", language: "de", sentOn };
}

/** Both alerts in one call. */
function several(turn: string, more: object = {}): Row {
  return {
    send: ({ alerts }) => {
      const both = Object.values(alerts).map((id) => ({ id, version: 1 }));
      return { path: `/api/alerts/${turn}`, body: { alerts: both, ...more } };
    },
    answer: everyone,
    shows: (cell, { alerts }) => ({
      changed: sees(cell) ? breachesOf(told(cell)) : [],
      conflicts: Object.values(alerts).slice(sees(cell) ? told(cell).length : 0),
    }),
  };
}

/** Undisclosed breaches may only be counted by address. */
function facetsOf(names: (string | null)[]) {
  const shown = names.filter((name) => name !== null);
  const ofAll = (key: string) => ({ key, count: shown.length });
  return {
    addresses: names.length > 0 ? [{ address: BOB, count: names.length }] : [],
    categories: shown.length > 0 ? [ofAll("email-addresses"), ofAll("passwords")] : [],
    flags: shown.includes("Affairs") ? [{ flag: "sensitive", count: 1 }] : [],
  };
}

/** Of undisclosed breaches only the number is shown. */
function figuresOf(names: (string | null)[]) {
  const breaches = names.filter((name) => name !== null).length;
  const ofAll = breaches > 0 ? [{ breaches }] : [];
  return {
    breaches,
    open: breaches,
    undisclosed: names.length - breaches,
    years: ofAll,
    groups: [
      ...ofAll.map((one) => ({ group: "sign_in", ...one })),
      ...ofAll.map((one) => ({ group: "contact", ...one })),
    ],
  };
}

/** The same call for the alert of a plain breach and of a sensitive one. */
function alertRows(route: string, send: (id: string) => { path: string; body?: unknown }): Record<string, Row[]> {
  const rows = (["Adobe", "Affairs"] as const).map((name) => ({
    send: ({ alerts }: Named) => send(alerts[name]),
    answer: alertAnswer(name),
    shows: alertShown(name),
  }));
  return { [route]: rows };
}
