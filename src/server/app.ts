import { type ErrorHandler, Hono, type MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { generateSpecs } from "hono-openapi";
import { webhookRoutes as paymentWebhook } from "../billing/adapters/http/webhook.ts";
import type { SignedEvent } from "../billing/adapters/sandbox/sandbox.ts";
import { sandboxPages } from "../billing/adapters/sandbox/sandbox_pages.ts";
import { logoRoutes } from "../breaches/adapters/http/logos.ts";
import { pushRoutes } from "../breaches/adapters/http/push.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { sharedWait, waitingOnce } from "../database/request_deadline.ts";
import { bearerAccess } from "../http/bearer.ts";
import { wholeBody } from "../http/body.ts";
import { changePassword } from "../http/change_password.ts";
import { clientIp, isTrusted, trustedProxies } from "../http/client_ip.ts";
import { doctorRoute } from "../http/doctor_route.ts";
import { isLocal } from "../http/local.ts";
import { maintenanceGate } from "../http/maintenance.ts";
import { publicDocument } from "../http/openapi.ts";
import { pageRoutes, type Website, website } from "../http/pages.ts";
import { policyReports } from "../http/policy_reports.ts";
import { replyFailure } from "../http/reply.ts";
import { front, PAGE } from "../http/request_pipeline.ts";
import { sameOrigin, securityHeaders } from "../http/security.ts";
import { securityTxt } from "../http/security_txt.ts";
import { type HttpEnv, readSession, sessionCookie } from "../http/session.ts";
import { providerLogoutRoutes } from "../identity/adapters/http/providers.ts";
import type { Modules } from "../module_types.ts";
import { inboxRoutes } from "../notifications/adapters/channels/inbox/mailbox.ts";
import { bounceRoutes } from "../notifications/adapters/http/bounces.ts";
import { telegramWebhook } from "../notifications/adapters/http/telegram.ts";
import { MAX_ALIAS_FILE } from "../shared/aliases.ts";
import { fail } from "../shared/result.ts";
import { answerCount } from "../telemetry/answers.ts";
import { withFacts } from "../telemetry/context.ts";
import { metricsRoute } from "../telemetry/metrics_route.ts";
import { probeRoutes } from "../telemetry/probes.ts";
import { requestWatch, routeOf } from "../telemetry/requests.ts";
import { apiRoutes, instanceOf, type Setup } from "./api_routes.ts";
import { statusRoutes } from "./service_status.ts";

const BODY_LIMIT = 64 * 1024;
/** An export of aliases as JSON, in which each of its characters may take two bytes. */
const LIST_LIMIT = 2 * MAX_ALIAS_FILE + 1024;
const IS_LIST = /^\/api\/associations\/[^/]+\/aliases\/import$/;
const DATABASE_RETRY_SECONDS = 5;

type Proxies = ReturnType<typeof trustedProxies>;

const isSecure = ({ publicUrl }: Setup["config"]) => publicUrl.startsWith("https:");

/** The built web app; undefined while there is none. */
function siteOf({ adapters, config }: Setup): Website | undefined {
  if (adapters.webDirectory === undefined) return undefined;
  return website(adapters.webDirectory, {
    publicUrl: config.publicUrl,
    instance: instanceOf({ adapters, config }),
    report: (error) => adapters.system.report(error, { route: PAGE }),
  });
}

/** Who asks, as the handlers see it, and which route answered, as the log and the metrics do. */
function requestFacts(proxies: Proxies): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const { requestId = "", ip = "127.0.0.1" } = c.env;
    c.set("requestId", requestId);
    c.set("clientIp", clientIp(ip, c.req.header("X-Forwarded-For"), proxies));
    await next();
    c.env.route = routeOf(c);
  };
}

/** Available in maintenance mode and without a session: for monitoring and for reports of vulnerabilities. */
function watcherRoutes({ adapters, config }: Setup) {
  const { unready, metrics } = adapters.health;
  const routes = new Hono().route("/", probeRoutes(unready));
  if (metrics) routes.route("/", metricsRoute(metrics, metrics.token));
  else routes.get("/metrics", (c) => c.notFound());
  return routes
    .route("/", securityTxt({ ...config, supportEmail: config.operator.supportEmail, now: adapters.system.now }))
    .route("/", changePassword());
}

function maintenance({ operations, identity }: Modules, { adapters, config }: Setup, site: Website | undefined) {
  return maintenanceGate({
    current: () => sharedWait(operations.currentMaintenance),
    isFile: (path) => site?.file(path) !== undefined,
    async isStaff(c) {
      const cookie = sessionCookie(isSecure(config));
      const token = c.req.header("Authorization") === undefined ? getCookie(c, cookie) : undefined;
      return token !== undefined && (await identity.sessionOf(token, true))?.staff === true;
    },
    say: adapters.gateways.translate,
    supportEmail: config.operator.supportEmail,
    now: adapters.system.now,
  });
}

/** Called by other services with a secret of their own, so neither the same-origin check nor the session applies. */
function webhookRoutes({ breaches, billing, identity, notifications }: Modules, { config }: Setup) {
  const routes = new Hono<HttpEnv>().route("/", paymentWebhook(billing)).route("/", providerLogoutRoutes(identity));
  if (config.pushTokens.length > 0) routes.route("/", pushRoutes(breaches, config.pushTokens));
  const telegramSecret = config.channels.telegram?.webhookSecret;
  if (telegramSecret !== undefined) routes.route("/", telegramWebhook(notifications, telegramSecret));
  const bounceSecret = config.mail.kind === "smtp" ? config.mail.bounces?.secret : undefined;
  if (bounceSecret !== undefined) routes.route("/", bounceRoutes(notifications, bounceSecret));
  return routes;
}

/** The OpenAPI document of these routes, generated on the first request. */
function openapiRoute(documented: () => Hono<HttpEnv>, { adapters, config }: Setup) {
  const hasWebhooks = adapters.gateways.senders.webhook !== undefined;
  let document: Promise<ReturnType<typeof publicDocument>> | undefined;
  return new Hono<HttpEnv>().get("/api/openapi.json", async (c) => {
    // A path with a dot in it is an operation like any other.
    document ??= generateSpecs(documented(), { defaultValidationErrorResponse: false, excludeStaticFile: false }).then(
      ({ paths }) => publicDocument(paths, { ...config, cookie: sessionCookie(isSecure(config)), hasWebhooks }),
    );
    return c.json(await document);
  });
}

/** Local replacements of other services: the payment pages of the sandbox, and the inbox. */
function standInRoutes({ billing, notifications }: Modules, { adapters, config }: Setup) {
  const { translate } = adapters.gateways;
  const { publicUrl } = config;
  const routes = new Hono<HttpEnv>();
  if (adapters.sandbox) {
    const deliver = ({ body, signature }: SignedEvent) => billing.takePaymentEvent(body, signature);
    routes.route("/", sandboxPages({ payments: adapters.sandbox, publicUrl, deliver, translate }));
  }
  const { mailboxDirectory: directory, standIns } = adapters;
  if (directory !== undefined || standIns)
    routes.route(
      "/",
      inboxRoutes({
        directory,
        standIns,
        publicUrl,
        now: adapters.system.now,
        isLocal: (c) => isLocal(c.req.raw.headers, c.env.ip, publicUrl),
        translate,
        nameFor: notifications.nameOfTelegramLink,
      }),
    );
  return routes;
}

function errorReply(report: Setup["adapters"]["system"]["report"]): ErrorHandler<HttpEnv> {
  return (error, c) => {
    if (error instanceof HTTPException && error.status === 400) return replyFailure(c, fail("INVALID_JSON"));
    report(error, { route: c.req.routePath, method: c.req.method, requestId: c.get("requestId") });
    if (isDatabaseUnavailable(error)) return replyFailure(c, fail("BUSY", { retryAfter: DATABASE_RETRY_SECONDS }));
    return replyFailure(c, fail("GENERIC"));
  };
}

type Frontage = {
  proxies: Proxies;
  answers: ReturnType<typeof answerCount>;
  routes: Hono<HttpEnv>["fetch"];
};

/** What every request passes before it is routed. */
function frontOf({ adapters, config }: Setup, { proxies, answers, routes }: Frontage) {
  const { telemetry, log, isStopping } = adapters.health;
  return front({
    newId: adapters.system.newId,
    secure: securityHeaders(isSecure(config)),
    watch: requestWatch({ telemetry, log, answers, isStopping }),
    within: (requestId, work) => withFacts({ requestId }, () => waitingOnce(work)),
    isBelieved: (address) => isTrusted(proxies, address),
    routes,
  });
}

/** The whole HTTP side: headers, origin, limits, session, the API, the mailbox in development, and the pages. */
export function createApp(modules: Modules, setup: Setup) {
  const { adapters, config } = setup;
  const { now, mac } = adapters.system;
  const proxies = trustedProxies(config.trustProxy);
  const status = statusRoutes(modules, adapters, config.publicUrl);
  const answers = answerCount(now);
  const api = apiRoutes({ ...modules, status, answers }, setup);
  const logos = logoRoutes(modules.breaches);
  const webhooks = webhookRoutes(modules, setup);
  const site = siteOf(setup);

  const app = new Hono<HttpEnv>();
  app.use(requestFacts(proxies));
  app.route("/", watcherRoutes(setup));
  app.use(maintenance(modules, setup, site));
  app.route(
    "/",
    doctorRoute(mac, (address) => isTrusted(proxies, address)),
  );
  const { telemetry, log } = adapters.health;
  app.route("/", policyReports({ publicUrl: config.publicUrl, now, count: telemetry.violated, say: log.warn }));
  app.route("/", webhooks);
  app.use("/api/*", bearerAccess(modules.identity.programOf));
  app.use("/api/*", sameOrigin(config.publicUrl));
  // Logos are public and loaded in large numbers, so they skip the session lookup.
  app.route("/", logos);
  // Skips the session lookup, so that it answers while the database is down.
  app.route("/", status);
  const [bodies, lists] = [wholeBody(BODY_LIMIT), wholeBody(LIST_LIMIT)];
  app.use((c, next) => (IS_LIST.test(c.req.path) ? lists : bodies)(c, next));
  app.use("/api/*", readSession(modules.identity.sessionOf, isSecure(config)));
  app.route("/", api);
  const documented = () => new Hono<HttpEnv>().route("/", api).route("/", logos).route("/", webhooks);
  app.route("/", openapiRoute(documented, setup));
  app.route("/", standInRoutes(modules, setup));
  if (site) app.route("/", pageRoutes(site));
  app.notFound((c) => replyFailure(c, fail("NOT_FOUND")));
  app.onError(errorReply(adapters.system.report));
  app.fetch = frontOf(setup, { proxies, answers, routes: app.fetch });
  return app;
}
