import type { Page } from "playwright-core";

type Row = { address: string; words: string; status: string; alerts: number; isChecked: boolean };
/** What a dashboard shows at one moment; lists hold the text of each of their entries. */
export type Sample = {
  path: string;
  standing: string;
  headline: string;
  hint: string;
  tone: string;
  rows: Row[];
  sent: string[];
  grants: string[];
  requests: string[];
  /** The number next to the heading of each list. */
  counts: Record<string, number>;
};

const EVERY_MS = 50;
const STATUSES = ["Safe", "Active", "Breached", "Inactive"];

/** Runs in the page: reports what the dashboard shows every 50 ms, where it differs from the last report. English only. */
function watchDashboard({ everyMs, statuses }: { everyMs: number; statuses: string[] }): void {
  const words = (element: Element | null) => element?.textContent?.replace(/\s+/g, " ").trim() ?? "";
  const entries = (id: string) => [...document.querySelectorAll(`section[aria-labelledby="${id}"] li`)].map(words);
  const countOf = (id: string) => Number(/\d+$/.exec(words(document.querySelector(`#${id}`)))?.[0]);
  let last = "";
  setInterval(() => {
    const headline = document.querySelector("section[data-standing]");
    if (!headline) return;
    const rows = [...document.querySelectorAll('table[aria-labelledby="tracked-emails"] tbody tr')].map((row) => {
      const [, state, alerts, checked] = [...row.querySelectorAll("td")].map(words);
      return {
        address: words(row.querySelector("th")),
        words: words(row),
        status: statuses.find((status) => state?.startsWith(status)) ?? "",
        alerts: Number(/^\d+/.exec(alerts ?? "")?.[0] ?? 0),
        isChecked: checked !== "Not yet",
      };
    });
    const sample = {
      path: location.pathname + location.search,
      standing: headline.getAttribute("data-standing") ?? "",
      headline: words(headline.querySelector("h2")),
      hint: words(headline.querySelector("p")),
      tone: headline.querySelector("[data-tone]")?.getAttribute("data-tone") ?? "",
      rows,
      sent: entries("sent-invitations"),
      grants: entries("granted-permissions"),
      requests: entries("access-requests"),
      counts: Object.fromEntries(
        ["tracked-emails", "sent-invitations", "granted-permissions", "access-requests"].map((id) => [id, countOf(id)]),
      ),
    };
    const text = JSON.stringify(sample);
    if (text === last) return;
    last = text;
    (window as unknown as { keepSample: (sample: string) => void }).keepSample(text);
  }, everyMs);
}

/** Records everything that this page's dashboard shows from now on, across reloads and navigation. */
export async function sampleDashboard(page: Page): Promise<Sample[]> {
  const samples: Sample[] = [];
  await page.exposeFunction("keepSample", (sample: string) => {
    samples.push(JSON.parse(sample));
  });
  const told = { everyMs: EVERY_MS, statuses: STATUSES };
  await page.addInitScript(watchDashboard, told);
  await page.evaluate(watchDashboard, told);
  return samples;
}

type Invariant = (sample: Sample, before: Sample | undefined) => boolean;

/** Invariants of a wide dashboard without a search, a filter or a second page. */
const INVARIANTS: Record<string, Invariant> = {
  "the headline counts the rows that have alerts": ({ standing, headline, rows }) => {
    const open = rows.filter(({ alerts }) => alerts > 0);
    if (standing !== "attention") return open.every(({ words }) => isManaged(words));
    return rows.length === 1 || headline.startsWith(`${open.length} of ${rows.length} `);
  },
  "the headline's alerts are the sum of the rows": ({ standing, hint, rows }) => {
    const sum = rows.reduce((total, { words, alerts }) => total + (isManaged(words) ? 0 : alerts), 0);
    return standing === "attention" ? Number(/^\d+/.exec(hint)?.[0]) === sum : sum === 0;
  },
  "the shield is green only when every row was checked and is safe": ({ tone, rows }) =>
    tone !== "safe" || (rows.length > 0 && rows.every(({ status, isChecked }) => status === "Safe" && isChecked)),
  "a row is safe only after a check": ({ rows }) =>
    rows.every(({ status, isChecked }) => status !== "Safe" || isChecked),
  "no check is forgotten": ({ rows }, before) =>
    rows.every(
      ({ address, isChecked }) => isChecked || !before?.rows.find((row) => row.address === address)?.isChecked,
    ),
  "an address that waits for an answer is in no other list": ({ sent, rows, grants }) =>
    sent.every((entry) => {
      const address = entry.split(/Invitation|Confirmation/)[0] ?? "";
      return !rows.some((row) => row.address === address) && !grants.some((grant) => grant.startsWith(address));
    }),
  "each list has as many entries as its heading says": ({ rows, sent, grants, requests, counts }) =>
    counts["tracked-emails"] === rows.length &&
    counts["sent-invitations"] === sent.length &&
    counts["granted-permissions"] === grants.length &&
    counts["access-requests"] === requests.length,
};

function isManaged(words: string): boolean {
  return words.includes("Managed by");
}

/** Every sample in which a dashboard contradicted itself, by the violated invariant. */
export function contradictions(samples: readonly Sample[]): { broken: string; sample: Sample }[] {
  return samples.flatMap((sample, place) =>
    Object.entries(INVARIANTS).flatMap(([broken, holds]) =>
      holds(sample, samples[place - 1]) ? [] : [{ broken, sample }],
    ),
  );
}
