import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { openAPIRouteHandler } from "hono-openapi";
import * as v from "valibot";
import { billingRoutes } from "../billing/adapters/http.ts";
import { webhookRoutes } from "../billing/adapters/http_webhook.ts";
import type { SignedEvent } from "../billing/adapters/sandbox.ts";
import { sandboxPages } from "../billing/adapters/sandbox_pages.ts";
import type { Billing } from "../billing/mod.ts";
import { breachRoutes } from "../breaches/adapters/http.ts";
import { drillRoutes } from "../breaches/adapters/http_drills.ts";
import { logoRoutes } from "../breaches/adapters/http_logos.ts";
import { pushRoutes } from "../breaches/adapters/http_push.ts";
import type { Breaches } from "../breaches/mod.ts";
import type { Adapters } from "../compose.ts";
import type { Config } from "../config.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { identityRoutes } from "../identity/adapters/http.ts";
import { factorRoutes } from "../identity/adapters/http_factors.ts";
import { profileRoutes } from "../identity/adapters/http_profile.ts";
import { providerRoutes } from "../identity/adapters/http_providers.ts";
import { sessionRoutes } from "../identity/adapters/http_sessions.ts";
import { PROVIDERS } from "../identity/factor_ports.ts";
import type { Identity } from "../identity/mod.ts";
import { invitationRoutes } from "../invitations/adapters/http.ts";
import type { Invitations } from "../invitations/mod.ts";
import { notificationRoutes } from "../notifications/adapters/http.ts";
import { bounceRoutes } from "../notifications/adapters/http_bounces.ts";
import { contactRoutes } from "../notifications/adapters/http_contacts.ts";
import { summaryRoutes } from "../notifications/adapters/http_summary.ts";
import { telegramRoutes, telegramWebhook } from "../notifications/adapters/http_telegram.ts";
import { mailboxRoutes } from "../notifications/adapters/mailbox.ts";
import type { Notifications } from "../notifications/mod.ts";
import { CHANNELS } from "../shared/contacts.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import { fail } from "../shared/result.ts";
import { trackingRoutes } from "../tracking/adapters/http.ts";
import type { Tracking } from "../tracking/mod.ts";
import { clientIp, isLoopback, trustedProxies } from "./client_ip.ts";
import { describe } from "./describe.ts";
import { pageRoutes } from "./pages.ts";
import { replyFailure } from "./reply.ts";
import { sameOrigin, securityHeaders } from "./security.ts";
import { serviceStatusRoutes } from "./service_status.ts";
import { type HttpEnv, readSession } from "./session.ts";

type Modules = {
  identity: Identity;
  billing: Billing;
  breaches: Breaches;
  tracking: Tracking;
  invitations: Invitations;
  notifications: Notifications;
};
type Setup = {
  adapters: Adapters;
  config: Pick<
    Config,
    "publicUrl" | "trustProxy" | "mail" | "operator" | "billing" | "pushTokens" | "channels" | "statusPageUrl"
  >;
};

type StatusRoutes = { status: ReturnType<typeof statusRoutes> };

const BODY_LIMIT = 64 * 1024;
const DATABASE_RETRY_SECONDS = 5;

const instance = v.object({
  demonstration: v.boolean(),
  exampleAddresses: v.array(v.string()),
  mailbox: v.boolean(),
  billing: v.picklist(["off", "sandbox", "stripe"]),
  providers: v.array(v.picklist(PROVIDERS)),
  channels: v.array(v.picklist(CHANNELS)),
  sources: v.array(v.string()),
  operator: v.object({ name: v.string(), canton: v.string(), supportEmail: v.string() }),
  statusPageUrl: v.nullable(v.string()),
});
const health = v.object({ status: v.picklist(["ok", "failing"]) });

/** What everybody may know of how the service does, from the figures of its modules. */
function statusRoutes({ breaches, notifications }: Modules, { system, outbox }: Adapters) {
  const figures = async () => {
    await system.ping();
    const [sources, channels, deliveries, events] = await Promise.all([
      breaches.sourcesHealth(),
      notifications.channelsHealth(),
      notifications.backlog(),
      outbox.backlog(),
    ]);
    return { sources, channels, waitingSince: [deliveries.oldestDueAt, events.oldest] };
  };
  return serviceStatusRoutes({ figures, now: system.now, report: system.report });
}

/** All routes of the API, chained so that the typed client knows each. */
function apiRoutes(
  { status, identity, billing, breaches, tracking, invitations, notifications }: Modules & StatusRoutes,
  { adapters, config }: Setup,
) {
  const { gateways } = adapters;
  return new Hono<HttpEnv>()
    .route("/", identityRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", sessionRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", profileRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", factorRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", providerRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", trackingRoutes(tracking))
    .route("/", invitationRoutes(invitations))
    .route("/", breachRoutes(breaches))
    .route("/", drillRoutes(breaches))
    .route("/", billingRoutes(billing))
    .route("/", notificationRoutes(notifications, { publicUrl: config.publicUrl }))
    .route("/", contactRoutes(notifications))
    .route("/", summaryRoutes(notifications))
    .route("/", telegramRoutes(notifications))
    .route("/", status)
    .get("/api/instance", describe("What this installation is", instance), (c) =>
      c.json({
        demonstration: gateways.feeds.some((feed) => feed.demonstration),
        exampleAddresses: adapters.exampleAddresses,
        mailbox: config.mail.kind === "mailbox",
        billing: config.billing,
        providers: gateways.providers.map(({ name }) => name),
        channels: CHANNELS.filter((channel) => gateways.senders[channel] !== undefined),
        sources: gateways.feeds.map(({ source }) => source),
        operator: config.operator,
        statusPageUrl: config.statusPageUrl ?? null,
      }),
    )
    .get("/api/health", describe("Does the database answer, and how long are the queues?", health), async (c) => {
      try {
        await adapters.system.ping();
        const [sources, channels, deliveries, { waiting, oldest }] = await Promise.all([
          breaches.sourcesHealth(),
          notifications.channelsHealth(),
          notifications.backlog(),
          adapters.outbox.backlog(),
        ]);
        const events = { waiting, oldest: oldest ?? null };
        return c.json({ status: "ok" as const, version: VERSION, sources, channels, events, deliveries });
      } catch (error) {
        adapters.system.report(error, { route: "/api/health" });
        return c.json({ status: "failing" as const }, 503);
      }
    });
}

/** The type that the web app's client is made from. */
export type App = ReturnType<typeof apiRoutes>;

/** The whole HTTP side: headers, origin, limits, session, the API, the mailbox in development, and the pages. */
export function createApp(modules: Modules, setup: Setup) {
  const { adapters, config } = setup;
  const secure = config.publicUrl.startsWith("https:");
  const proxies = trustedProxies(config.trustProxy);
  const status = statusRoutes(modules, adapters);
  const api = apiRoutes({ ...modules, status }, setup);
  const push = config.pushTokens.length > 0 ? pushRoutes(modules.breaches, config.pushTokens) : undefined;

  const app = new Hono<HttpEnv & { Bindings: { ip?: string } }>();
  app.use(async (c, next) => {
    c.set("requestId", adapters.system.newId());
    c.set("clientIp", clientIp(c.env?.ip ?? "127.0.0.1", c.req.header("X-Forwarded-For"), proxies));
    await next();
    c.header("X-Request-Id", c.get("requestId"));
  });
  app.use(securityHeaders(secure));
  // Called by a source, not by our page: its own token stands for the origin and the session.
  if (push) app.route("/", push);
  const webhookSecret = config.channels.telegram?.webhookSecret;
  const telegram = webhookSecret === undefined ? undefined : telegramWebhook(modules.notifications, webhookSecret);
  if (telegram) app.route("/", telegram);
  const bounceSecret = config.mail.kind === "smtp" ? config.mail.bounces?.secret : undefined;
  const bounces = bounceSecret === undefined ? undefined : bounceRoutes(modules.notifications, bounceSecret);
  if (bounces) app.route("/", bounces);
  const payments = webhookRoutes(modules.billing);
  app.route("/", payments);
  app.use("/api/*", sameOrigin(config.publicUrl));
  // Without a look at the session: pictures are for everybody, and many at once.
  app.route("/", logoRoutes(modules.breaches));
  // Likewise, as it has to answer also while no session can be looked up.
  app.route("/", status);
  app.use(bodyLimit({ maxSize: BODY_LIMIT, onError: (c) => replyFailure(c, fail("BODY_TOO_LARGE")) }));
  app.use("/api/*", readSession(modules.identity.sessionOf, secure));
  app.route("/", api);
  const documented = new Hono<HttpEnv>().route("/", api).route("/", logoRoutes(modules.breaches)).route("/", payments);
  if (push) documented.route("/", push);
  if (telegram) documented.route("/", telegram);
  if (bounces) documented.route("/", bounces);
  app.get(
    "/api/openapi.json",
    openAPIRouteHandler(documented, {
      defaultValidationErrorResponse: false,
      // A path with a dot in it is a call like the others.
      excludeStaticFile: false,
      documentation: { info: { title: PRODUCT, version: VERSION } },
    }),
  );
  if (adapters.sandbox) {
    const { translate } = adapters.gateways;
    const deliver = ({ body, signature }: SignedEvent) => modules.billing.takePaymentEvent(body, signature);
    app.route("/", sandboxPages({ payments: adapters.sandbox, publicUrl: config.publicUrl, deliver, translate }));
  }
  if (adapters.mailboxDirectory !== undefined) {
    app.route(
      "/",
      mailboxRoutes(adapters.mailboxDirectory, {
        isLoopback: (c) => isLoopback(c.get("clientIp")),
        translate: adapters.gateways.translate,
      }),
    );
  }
  if (adapters.webDirectory !== undefined) app.route("/", pageRoutes(adapters.webDirectory));
  app.notFound((c) => replyFailure(c, fail("NOT_FOUND")));
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.status === 400) return replyFailure(c, fail("INVALID_JSON"));
    adapters.system.report(error, { route: c.req.routePath, method: c.req.method, requestId: c.get("requestId") });
    if (isDatabaseUnavailable(error)) return replyFailure(c, fail("BUSY", { retryAfter: DATABASE_RETRY_SECONDS }));
    return replyFailure(c, fail("GENERIC"));
  });
  return app;
}
