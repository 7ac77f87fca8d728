import type { Page } from "playwright-core";
import type { Domain } from "../../web/api/domains_api.ts";
import { ago, DAY } from "./fake_alerts.ts";
import { byMail, domain, overview, person } from "./fake_domains.ts";
import type { Screen } from "./screen.ts";

const failed = { status: 500, body: { code: "GENERIC" as const } };
const ONE = "/domains/d1";
const LINK = "/domain-notice#t=token";

/** The page of a domain in a state before it is proven, or after. */
function of(shown: Domain, more: Partial<Screen> = {}): Screen {
  return { path: ONE, scene: { domains: [shown] }, ...more };
}

/** Has the proof looked for, with this answer. */
function checked(reason: string | null): Screen {
  return of(domain({ state: "pending", provenAt: null }), {
    scene: {
      domains: [domain({ state: "pending", provenAt: null })],
      answers: { [`POST /api${ONE}/check`]: { status: 200, body: { state: "pending", found: false, reason } } },
    },
    act: async (page) => {
      await page.locator("#proof ~ div button").first().click();
      await page.locator("[role=status] svg").first().waitFor();
    },
  });
}

async function openAddress(page: Page, place: number) {
  await page.locator("section[aria-labelledby=addresses] h3 button").nth(place).click();
  await page.getByRole("dialog").locator("h3").first().waitFor();
}

/** Domains, in every state, and what the people behind their addresses see. */
export const DOMAIN_SCREENS: Record<string, Screen> = {
  domains: { path: "/domains", act: (page) => page.locator("main form input[type=radio]").last().check() },
  "domains without any": { path: "/domains", scene: { domains: [] } },
  "domains with a wrong name": {
    path: "/domains",
    act: async (page) => {
      await page.locator("main form input").first().fill("no domain");
      await page.locator("main form button[type=submit]").click();
      await page.locator("[aria-invalid=true]").waitFor();
    },
  },
  "domains beyond the plan": { path: "/domains", scene: { allowance: { active: true, domains: 6, addresses: 1_000 } } },
  "domains without a plan": { path: "/domains", scene: { allowance: { active: false, domains: 0, addresses: 0 } } },
  "domains that failed": { path: "/domains", scene: { answers: { "GET /api/domains": failed } } },
  "domain to prove by a record": of(domain({ state: "pending", provenAt: null }), {
    act: (page) => page.locator("main summary").click(),
  }),
  "domain to prove by a file": of(domain({ state: "pending", provenAt: null, proof: "file" })),
  "domain to prove by a tag": of(domain({ state: "pending", provenAt: null, proof: "meta" })),
  "domain to prove by mail": of(byMail()),
  "domain whose code was sent": of(byMail({ codeSent: true })),
  "domain whose proof is not there yet": checked(null),
  "domain whose proof could not be looked for": checked("no name server answered in time"),
  "domain that waits": of(domain({ state: "waiting", provenAt: null, effectiveAt: ago(-2 * DAY) })),
  "domain that has ended": of(domain({ state: "ended" })),
  "domain whose proof is missing": of(domain({ state: "failing", failingSince: ago(DAY) })),
  "domain outside the plan": of(domain({ coverage: "suspended" })),
  domain: { path: ONE },
  "domain without findings": {
    path: ONE,
    scene: {
      addresses: [],
      overview: overview({
        counts: { person: 0, role: 0, alias: 0, untold: 0, withheld: 0 },
        isCut: false,
        breaches: [],
        years: [],
        administrators: [],
      }),
    },
  },
  "domain with an open alias": { path: ONE, act: (page) => openAddress(page, 0) },
  "domain with an open address": { path: ONE, act: (page) => openAddress(page, 3) },
  "domain before it is removed": {
    path: ONE,
    act: async (page) => {
      await page.locator("main button").last().click();
      await page.getByRole("dialog").waitFor();
    },
  },
  "domain that failed": { path: ONE, scene: { answers: { [`GET /api${ONE}`]: failed } } },
  "domain whose findings failed": {
    path: ONE,
    scene: { answers: { [`GET /api${ONE}/overview`]: failed, [`GET /api${ONE}/sources`]: failed } },
  },
  "domain-notice": { path: LINK, scene: { level: "unauthenticated" } },
  "domain-notice after taking over": { path: LINK, scene: { person: person({ say: "nothing", taken: true }) } },
  "domain-notice of nothing": { path: LINK, scene: { person: person({ breaches: [], sites: [], looks: [] }) } },
  "domain-notice with a dead link": {
    path: LINK,
    scene: { answers: { "POST /api/domain-links/inspect": { status: 410, body: { code: "LINK_INVALID" } } } },
  },
  "domain-notice with half a link": { path: "/domain-notice", scene: { level: "unauthenticated" } },
  "domain-notice that failed": { path: LINK, scene: { answers: { "POST /api/domain-links/inspect": failed } } },
  "own-domain": { path: "/own-domain", scene: { ownDomain: person() } },
  "own-domain without any": { path: "/own-domain" },
  "dashboard with an administered domain": { path: "/dashboard", scene: { ownDomain: person() } },
};
