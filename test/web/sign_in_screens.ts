import { provider, type Scene, scene as usualScene } from "./fake_api.ts";
import type { Screen } from "./screen.ts";

const stranger: Partial<Scene> = { level: "unauthenticated" };
const strong: Partial<Scene> = {
  level: "partial",
  methods: ["passkey", "authenticator", "recovery_code"],
  answers: { "POST /api/verify-passkey/options": { status: 200, body: { challenge: "AAAA", allowCredentials: [] } } },
};
const grace = { firstName: "Grace", lastName: "Hopper", email: "grace.brewster.murray.hopper@subdomain.example.org" };
const admitting = (registration: Scene["instance"]["registration"]): Partial<Scene> => ({
  ...stranger,
  instance: { ...usualScene().instance, registration },
});
const INVITE_ONLY = admitting({ mode: "invite", domains: [] });
const usedLink = { status: 410, body: { code: "RESET_LINK_INVALID" } };

/** The states of the log-in screens. */
export const SIGN_IN_SCREENS: Record<string, Screen> = {
  login: { path: "/login", scene: stranger },
  "login with providers": {
    path: "/login",
    scene: {
      ...stranger,
      instance: {
        ...usualScene().instance,
        providers: ["google", "github", "microsoft"].map((name) => provider(name)),
      },
    },
  },
  "login refused": {
    path: "/login",
    scene: { ...stranger, answers: { "POST /api/login": { status: 401, body: { code: "CREDENTIALS_INVALID" } } } },
    act: async (page) => {
      await page.locator("input[type=email]").fill("alice@example.com");
      await page.locator("input[type=password]").fill("wrong");
      await page.locator("button[type=submit]").click();
      await page.getByRole("dialog").waitFor();
    },
  },
  register: { path: "/register", scene: stranger, act: (page) => page.locator("button[type=submit]").click() },
  "login by invitation only": {
    path: "/login",
    scene: INVITE_ONLY,
    act: (page) => page.locator("a[href$=register]").waitFor({ state: "detached" }),
  },
  "register by invitation only": { path: "/register", scene: INVITE_ONLY, act: (page) => page.locator("h2").waitFor() },
  "register while it is closed": {
    path: "/register",
    scene: admitting({ mode: "closed", domains: [] }),
    act: (page) => page.locator("h2").waitFor(),
  },
  "register with a link that has expired": {
    path: "/register#t=old",
    scene: {
      ...INVITE_ONLY,
      answers: { "POST /api/register/inspect": { status: 410, body: { code: "REGISTRATION_LINK_INVALID" } } },
    },
    act: (page) => page.locator("h2").waitFor(),
  },
  "register at certain domains": {
    path: "/register",
    scene: admitting({ mode: "open", domains: ["example.org", "a-very-long-company-name.example"] }),
    act: (page) => page.locator(".mantine-InputWrapper-description").first().waitFor(),
  },
  "forgot-password": { path: "/forgot-password", scene: stranger },
  "forgot-password with the link sent": {
    path: "/forgot-password",
    scene: stranger,
    act: async (page) => {
      await page.locator("input[type=email]").fill("alice@example.com");
      await page.locator("button[type=submit]").click();
      await page.locator("h1 + div strong").waitFor();
    },
  },
  "reset-password": {
    path: "/reset-password#t=token",
    scene: stranger,
    act: (page) => page.locator("button[type=submit]").click(),
  },
  "reset-password with half a link": {
    path: "/reset-password",
    scene: stranger,
    act: (page) => page.locator("button[type=submit]").click(),
  },
  "reset-password with a used link": {
    path: "/reset-password#t=token",
    scene: { ...stranger, answers: { "POST /api/reset-password/check": usedLink } },
    act: (page) => page.getByRole("alert").waitFor(),
  },
  "verify-code": { path: "/verify-code", scene: { level: "partial", resendAfter: 42 } },
  "verify-code while mail is down": { path: "/verify-code", scene: { level: "partial", mailDelayed: true } },
  "verify-code with an app": {
    path: "/verify-code",
    scene: { ...strong, methods: ["authenticator", "recovery_code"] },
  },
  "verify-code with a passkey that was refused": {
    path: "/verify-code",
    scene: strong,
    act: (page) => page.locator("p[role=alert]").waitFor(),
  },
  "verify-code with a recovery code": {
    path: "/verify-code",
    scene: strong,
    act: async (page) => {
      await page.locator("fieldset button").last().click();
      await page.locator("input[placeholder]").fill("wrong");
      await page.locator("button[type=submit]").click();
    },
  },
  "verify-code after too many wrong codes": {
    path: "/verify-code",
    scene: {
      level: "partial",
      answers: { "POST /api/verify-code": { status: 403, body: { code: "PASSWORD_RESET_REQUIRED" } } },
    },
    act: async (page) => {
      await page.locator("input[inputmode=numeric]").first().click();
      await page.keyboard.type("123456");
      await page.getByRole("alert").waitFor();
    },
  },
  "sign-in with a provider's refusal": {
    path: "/sign-in/google?error=access_denied",
    scene: stranger,
    act: (page) => page.getByRole("alert").waitFor(),
  },
  "sign-in that waits for the provider": {
    path: "/sign-in/google?code=c&state=waits",
    scene: stranger,
    prepare: (page) => page.route("**/finish", () => undefined),
    act: (page) => page.getByRole("status").waitFor(),
  },
  "register from a provider": {
    path: "/sign-in/google?code=c&state=s",
    scene: {
      ...stranger,
      answers: {
        "POST /api/providers/google/finish": { status: 200, body: { outcome: "no_account", profile: grace } },
      },
    },
    act: (page) => page.locator("h1 + div strong").waitFor(),
  },
  "confirm-email": { path: "/confirm-email#t=token", scene: stranger },
  "confirm-email with half a link": { path: "/confirm-email", scene: stranger },
  "confirm-email while signed in": {
    path: "/confirm-email#t=token",
    act: async (page) => {
      await page.locator("main .mantine-Button-root").last().click();
      await page.locator("main a[href$=profile]").waitFor();
    },
  },
  "confirm-email with a used link": {
    path: "/confirm-email#t=token",
    scene: {
      ...stranger,
      answers: { "POST /api/email-change/inspect": { status: 410, body: { code: "EMAIL_LINK_INVALID" } } },
    },
    act: (page) => page.getByRole("alert").waitFor(),
  },
};
