import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { getCookie } from "hono/cookie";
import { HTTPException } from "hono/http-exception";
import { generateSpecs } from "hono-openapi";
import { webhookRoutes } from "../billing/adapters/http/webhook.ts";
import type { SignedEvent } from "../billing/adapters/sandbox/sandbox.ts";
import { sandboxPages } from "../billing/adapters/sandbox/sandbox_pages.ts";
import { logoRoutes } from "../breaches/adapters/http/logos.ts";
import { pushRoutes } from "../breaches/adapters/http/push.ts";
import { isDatabaseUnavailable } from "../database/errors.ts";
import { sharedWait, waitingOnce } from "../database/request_deadline.ts";
import { bearerAccess } from "../http/bearer.ts";
import { clientIp, isTrusted, trustedProxies } from "../http/client_ip.ts";
import { doctorRoute } from "../http/doctor_route.ts";
import { isLocal } from "../http/local.ts";
import { maintenanceGate } from "../http/maintenance.ts";
import { publicDocument } from "../http/openapi.ts";
import { pageRoutes, website } from "../http/pages.ts";
import { policyReports } from "../http/policy_reports.ts";
import { replyFailure } from "../http/reply.ts";
import { front } from "../http/request_pipeline.ts";
import { sameOrigin, securityHeaders } from "../http/security.ts";
import { securityTxt } from "../http/security_txt.ts";
import { type HttpEnv, readSession, sessionCookie } from "../http/session.ts";
import { inboxRoutes } from "../notifications/adapters/channels/inbox/mailbox.ts";
import { bounceRoutes } from "../notifications/adapters/http/bounces.ts";
import { telegramWebhook } from "../notifications/adapters/http/telegram.ts";
import { fail } from "../shared/result.ts";
import { answerCount } from "../telemetry/answers.ts";
import { withFacts } from "../telemetry/context.ts";
import { metricsRoute } from "../telemetry/metrics_route.ts";
import { probeRoutes } from "../telemetry/probes.ts";
import { requestWatch, routeOf } from "../telemetry/requests.ts";
import { apiRoutes, type Modules, type Setup, statusRoutes } from "./api_routes.ts";

const BODY_LIMIT = 64 * 1024;
const DATABASE_RETRY_SECONDS = 5;

/** The whole HTTP side: headers, origin, limits, session, the API, the mailbox in development, and the pages. */
export function createApp(modules: Modules, setup: Setup) {
  const { adapters, config } = setup;
  const secure = config.publicUrl.startsWith("https:");
  const proxies = trustedProxies(config.trustProxy);
  const status = statusRoutes(modules, setup);
  const answers = answerCount(adapters.system.now);
  const api = apiRoutes({ ...modules, status, answers }, setup);
  const push = config.pushTokens.length > 0 ? pushRoutes(modules.breaches, config.pushTokens) : undefined;

  const site =
    adapters.webDirectory === undefined
      ? undefined
      : website(adapters.webDirectory, {
          publicUrl: config.publicUrl,
          providers: adapters.gateways.providers.map(({ name }) => name),
          hasTrial: config.billing !== "off",
        });

  const app = new Hono<HttpEnv>();
  app.use(async (c, next) => {
    const { requestId = "", ip = "127.0.0.1" } = c.env;
    c.set("requestId", requestId);
    c.set("clientIp", clientIp(ip, c.req.header("X-Forwarded-For"), proxies));
    await next();
    c.env.route = routeOf(c);
  });
  const { telemetry, log, isStopping, unready, metrics } = adapters.health;
  app.route("/", probeRoutes(unready));
  if (metrics) app.route("/", metricsRoute(metrics, metrics.token));
  // Available in maintenance mode.
  app.route("/", securityTxt({ ...config, supportEmail: config.operator.supportEmail, now: adapters.system.now }));
  app.use(
    maintenanceGate({
      current: () => sharedWait(modules.operations.currentMaintenance),
      isFile: (path) => site?.file(path) !== undefined,
      async isStaff(c) {
        const token = c.req.header("Authorization") === undefined ? getCookie(c, sessionCookie(secure)) : undefined;
        return token !== undefined && (await modules.identity.sessionOf(token, true))?.staff === true;
      },
      ...{ say: adapters.gateways.translate, supportEmail: config.operator.supportEmail, now: adapters.system.now },
    }),
  );
  app.route("/", doctorRoute(adapters.system.mac));
  app.route(
    "/",
    policyReports({ publicUrl: config.publicUrl, now: adapters.system.now, count: telemetry.violated, say: log.warn }),
  );
  // Called by a source with its own token, so neither the same-origin check nor the session applies.
  if (push) app.route("/", push);
  const webhookSecret = config.channels.telegram?.webhookSecret;
  const telegram = webhookSecret === undefined ? undefined : telegramWebhook(modules.notifications, webhookSecret);
  if (telegram) app.route("/", telegram);
  const bounceSecret = config.mail.kind === "smtp" ? config.mail.bounces?.secret : undefined;
  const bounces = bounceSecret === undefined ? undefined : bounceRoutes(modules.notifications, bounceSecret);
  if (bounces) app.route("/", bounces);
  const payments = webhookRoutes(modules.billing);
  app.route("/", payments);
  app.use("/api/*", bearerAccess(modules.identity.programOf));
  app.use("/api/*", sameOrigin(config.publicUrl));
  // Logos are public and loaded in large numbers, so they skip the session lookup.
  app.route("/", logoRoutes(modules.breaches));
  // Skips the session lookup, so that it answers while the database is down.
  app.route("/", status);
  app.use(bodyLimit({ maxSize: BODY_LIMIT, onError: (c) => replyFailure(c, fail("BODY_TOO_LARGE")) }));
  app.use("/api/*", readSession(modules.identity.sessionOf, secure));
  app.route("/", api);
  function documented() {
    const routes = new Hono<HttpEnv>().route("/", api).route("/", logoRoutes(modules.breaches)).route("/", payments);
    for (const further of [push, telegram, bounces]) if (further) routes.route("/", further);
    return routes;
  }
  const hasWebhooks = adapters.gateways.senders.webhook !== undefined;
  let document: Promise<ReturnType<typeof publicDocument>> | undefined;
  app.get("/api/openapi.json", async (c) => {
    // A path with a dot in it is an operation like any other.
    document ??= generateSpecs(documented(), { defaultValidationErrorResponse: false, excludeStaticFile: false }).then(
      ({ paths }) => publicDocument(paths, { ...config, cookie: sessionCookie(secure), hasWebhooks }),
    );
    return c.json(await document);
  });
  if (adapters.sandbox) {
    const { translate } = adapters.gateways;
    const deliver = ({ body, signature }: SignedEvent) => modules.billing.takePaymentEvent(body, signature);
    app.route("/", sandboxPages({ payments: adapters.sandbox, publicUrl: config.publicUrl, deliver, translate }));
  }
  const { mailboxDirectory: directory, standIns } = adapters;
  if (directory !== undefined || standIns)
    app.route(
      "/",
      inboxRoutes({
        ...{ directory, standIns, publicUrl: config.publicUrl, now: adapters.system.now },
        isLocal: (c) => isLocal(c.req.raw.headers, c.env.ip, config.publicUrl),
        translate: adapters.gateways.translate,
        nameFor: modules.notifications.nameOfTelegramLink,
      }),
    );
  if (site) app.route("/", pageRoutes(site));
  app.notFound((c) => replyFailure(c, fail("NOT_FOUND")));
  app.onError((error, c) => {
    if (error instanceof HTTPException && error.status === 400) return replyFailure(c, fail("INVALID_JSON"));
    adapters.system.report(error, { route: c.req.routePath, method: c.req.method, requestId: c.get("requestId") });
    if (isDatabaseUnavailable(error)) return replyFailure(c, fail("BUSY", { retryAfter: DATABASE_RETRY_SECONDS }));
    return replyFailure(c, fail("GENERIC"));
  });
  app.fetch = front({
    newId: adapters.system.newId,
    security: securityHeaders(secure),
    watch: requestWatch({ telemetry, log, answers, isStopping }),
    within: (requestId, work) => withFacts({ requestId }, () => waitingOnce(work)),
    isBelieved: (address) => isTrusted(proxies, address),
    pageAt(address, asked) {
      const path = modules.operations.isKnownToWork() ? site?.pathIn(address) : undefined;
      return path === undefined ? undefined : site?.page(path, asked);
    },
    routes: app.fetch,
  });
  return app;
}
