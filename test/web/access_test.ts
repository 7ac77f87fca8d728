import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { AuthLevel } from "../../web/api/api.ts";
import type { Access } from "../../web/app/guards.ts";
import { PAGES } from "../../web/app/page_table.ts";
import { openSite, settled } from "./browser.ts";

/** The specification's table of routes with our additions, repeated here with a concrete URL each. */
const ROUTES: Record<string, [Access, string]> = {
  login: ["noLogin", "login"],
  register: ["noLogin", "register"],
  "forgot-password": ["noLogin", "forgot-password"],
  "reset-password": ["noLogin", "reset-password"],
  "verify-code": ["partialLogin", "verify-code"],
  dashboard: ["fullLogin", "dashboard"],
  "new-track": ["fullLogin", "new-track"],
  alerts: ["fullLogin", "alerts"],
  "test-alerts": ["fullLogin", "test-alerts"],
  contacts: ["fullLogin", "contacts"],
  "update-track/:association_id": ["fullLogin", "update-track/a2"],
  letters: ["fullLogin", "letters"],
  "letters/:alert_id": ["fullLogin", "letters/b1"],
  "screen-track/:child_email": ["fullLogin", "screen-track/alice.archer%40example.com"],
  domains: ["fullLogin", "domains"],
  "domains/:id": ["fullLogin", "domains/d1"],
  "own-domain": ["fullLogin", "own-domain"],
  "domain-notice": ["public", "domain-notice"],
  subscription: ["fullLogin", "subscription"],
  support: ["fullLogin", "support"],
  suggestions: ["fullLogin", "suggestions"],
  "api-tokens": ["fullLogin", "api-tokens"],
  developers: ["public", "developers"],
  "success-order": ["public", "success-order"],
  profile: ["fullLogin", "profile"],
  "profile-edit": ["fullLogin", "profile-edit"],
  "sign-in/:provider": ["public", "sign-in/google"],
  "confirm-email": ["public", "confirm-email"],
  "confirm-alias": ["public", "confirm-alias"],
  "manage-invitation": ["public", "manage-invitation"],
  "manage-contact": ["public", "manage-contact"],
  "terms-service": ["public", "terms-service"],
  "privacy-notice": ["public", "privacy-notice"],
  "accept-terms": ["fullLogin", "accept-terms"],
  "service-status": ["public", "service-status"],
  staff: ["staff", "staff"],
  "staff/users": ["staff", "staff/users"],
  "staff/users/:account_id": ["staff", "staff/users/a1"],
  "staff/tickets": ["staff", "staff/tickets"],
  "staff/tickets/:reference": ["staff", "staff/tickets/BB-7K3F-92QX"],
  "staff/incidents": ["staff", "staff/incidents"],
  "staff/mails": ["staff", "staff/mails"],
  "staff/settings": ["staff", "staff/settings"],
  "staff/audit": ["staff", "staff/audit"],
  "error-page": ["public", "error-page"],
};

/** Where a visitor with each access level ends up after entering such a URL: "" is the page itself. */
const ENDS: Record<Access, Record<AuthLevel, string>> = {
  noLogin: { unauthenticated: "", partial: "", authenticated: "dashboard" },
  partialLogin: { unauthenticated: "login", partial: "", authenticated: "dashboard" },
  fullLogin: { unauthenticated: "login", partial: "login", authenticated: "" },
  // The user in these tests is not staff.
  staff: { unauthenticated: "login", partial: "login", authenticated: "error-page" },
  public: { unauthenticated: "", partial: "", authenticated: "" },
};

let opened: Awaited<ReturnType<typeof openSite>>;
beforeAll(async () => {
  opened = await openSite();
}, 120_000);
afterAll(() => opened.close());

test("the table contains every page, with its access level", () => {
  expect(Object.fromEntries(PAGES.map(({ path, access }) => [path, access]))).toEqual(
    Object.fromEntries(Object.entries(ROUTES).map(([path, [access]]) => [path, access])),
  );
});

describe.each(["unauthenticated", "partial", "authenticated"] as const)("entering a URL while %s", (level) => {
  test.each(Object.values(ROUTES))(
    "for a %s page, %s",
    async (access, address) => {
      opened.site.set({ level });
      const { page, complaints, leave } = await opened.visit(`/en/${address}`);
      await settled(page);
      expect(new URL(page.url()).pathname).toBe(`/en/${ENDS[access][level] || address}`);
      expect(complaints).toEqual([]);
      const isPrivate = access === "fullLogin" && level !== "authenticated";
      if (isPrivate) expect(opened.site.calls().filter((call) => !call.endsWith("/api/instance"))).toEqual([]);
      await leave();
    },
    30_000,
  );
});
