import { Hono } from "hono";
import * as v from "valibot";
import type { Adapters } from "../adapter_types.ts";
import { stateOf } from "../backup/schedule.ts";
import { billingRoutes } from "../billing/adapters/http/routes.ts";
import { billingStaffRoutes } from "../billing/adapters/http/staff.ts";
import { drillRoutes } from "../breaches/adapters/http/drills.ts";
import { breachRoutes } from "../breaches/adapters/http/routes.ts";
import type { Config } from "../config/config.ts";
import { type InstallationConfig, installationOf } from "../config/installation.ts";
import { domainRoutes } from "../domains/adapters/http/routes.ts";
import { describe } from "../http/describe.ts";
import type { HttpEnv } from "../http/session.ts";
import { apiTokenRoutes } from "../identity/adapters/http/api_tokens.ts";
import { factorRoutes } from "../identity/adapters/http/factors.ts";
import { profileRoutes } from "../identity/adapters/http/profile.ts";
import { providerRoutes } from "../identity/adapters/http/providers.ts";
import { identityRoutes } from "../identity/adapters/http/routes.ts";
import { sessionRoutes } from "../identity/adapters/http/sessions.ts";
import { identityStaffRoutes } from "../identity/adapters/http/staff.ts";
import { invitationRoutes } from "../invitations/adapters/http/routes.ts";
import type { Modules } from "../module_types.ts";
import { chatRoutes } from "../notifications/adapters/http/chats.ts";
import { contactRoutes } from "../notifications/adapters/http/contacts.ts";
import { notificationRoutes } from "../notifications/adapters/http/routes.ts";
import { notificationStaffRoutes } from "../notifications/adapters/http/staff.ts";
import { summaryRoutes } from "../notifications/adapters/http/summary.ts";
import { telegramRoutes } from "../notifications/adapters/http/telegram.ts";
import { webPushRoutes } from "../notifications/adapters/http/webpush.ts";
import { eventRoutes } from "../operations/adapters/http/events.ts";
import { incidentRoutes } from "../operations/adapters/http/staff.ts";
import { CHANNELS } from "../shared/contacts.ts";
import { PROVIDER_ICONS } from "../shared/provider_icons.ts";
import { REGISTRATION_MODES } from "../shared/registration.ts";
import { supportRoutes } from "../support/adapters/http/routes.ts";
import { supportStaffRoutes } from "../support/adapters/http/staff.ts";
import type { AnswerCount } from "../telemetry/answers.ts";
import { trackingRoutes } from "../tracking/adapters/http/routes.ts";
import { dashboardRoutes } from "./dashboard.ts";
import type { statusRoutes } from "./service_status.ts";
import { staffOverviewRoutes } from "./staff_overview.ts";
import { staffSettingsRoutes } from "./staff_settings.ts";

export type Setup = {
  adapters: Adapters;
  config: Pick<Config, "trustProxy" | "operator" | "statusPageUrl"> & InstallationConfig;
};

/** Created once for the whole app: the status routes and the counter of answers. */
type Shared = { status: ReturnType<typeof statusRoutes>; answers: AnswerCount };

const instance = v.object({
  demonstration: v.boolean(),
  exampleAddresses: v.array(v.string()),
  mailbox: v.boolean(),
  inbox: v.array(v.picklist(CHANNELS)),
  billing: v.picklist(["off", "sandbox", "stripe"]),
  registration: v.object({ mode: v.picklist(REGISTRATION_MODES), domains: v.array(v.string()) }),
  providers: v.array(
    v.object({ name: v.string(), label: v.string(), icon: v.picklist(PROVIDER_ICONS), singleLogout: v.boolean() }),
  ),
  providersOnly: v.boolean(),
  channels: v.array(v.picklist(CHANNELS)),
  sources: v.array(v.string()),
  operator: v.object({ name: v.string(), canton: v.string(), supportEmail: v.string() }),
  statusPageUrl: v.nullable(v.string()),
});

/** What anyone may know of this installation; it does not change while the server runs. */
export function instanceOf({ adapters, config }: Setup): v.InferOutput<typeof instance> {
  const { gateways } = adapters;
  return {
    demonstration: gateways.feeds.some((feed) => feed.demonstration),
    exampleAddresses: adapters.exampleAddresses,
    mailbox: config.mail.kind === "mailbox",
    inbox: [...(config.mail.kind === "mailbox" ? (["email"] as const) : []), ...config.channels.embedded],
    billing: config.billing,
    registration: config.registration,
    providers: gateways.providers.map(({ name, label, icon, singleLogout }) => ({
      name,
      label,
      icon,
      singleLogout,
    })),
    providersOnly: config.providersOnly,
    channels: CHANNELS.filter((channel) => gateways.senders[channel] !== undefined),
    sources: gateways.feeds.map(({ source }) => source),
    operator: config.operator,
    statusPageUrl: config.statusPageUrl ?? null,
  };
}

/** All routes of the API, chained so that the typed client knows each of them. */
export function apiRoutes(
  {
    status,
    answers,
    identity,
    billing,
    breaches,
    tracking,
    invitations,
    notifications,
    operations,
    support,
    domains,
  }: Modules & Shared,
  { adapters, config }: Setup,
) {
  const { now } = adapters.system;
  const backups = async () => {
    const status = await adapters.backups.status();
    return { state: stateOf(status, now()), lastAt: status.last?.at.toISOString() ?? null };
  };
  const settings = { installation: installationOf(config), identity, breaches, domains, notifications, backups, now };
  return new Hono<HttpEnv>()
    .route("/", identityRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", sessionRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", profileRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", factorRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", apiTokenRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", providerRoutes(identity, { secureCookies: config.publicUrl.startsWith("https:") }))
    .route("/", trackingRoutes(tracking))
    .route("/", dashboardRoutes({ breaches, tracking, invitations }))
    .route("/", invitationRoutes(invitations))
    .route("/", breachRoutes(breaches))
    .route("/", drillRoutes(breaches))
    .route("/", domainRoutes(domains))
    .route("/", billingRoutes(billing))
    .route("/", notificationRoutes(notifications, { publicUrl: config.publicUrl }))
    .route("/", contactRoutes(notifications))
    .route("/", summaryRoutes(notifications))
    .route("/", telegramRoutes(notifications))
    .route("/", webPushRoutes(notifications))
    .route("/", chatRoutes(notifications))
    .route("/", eventRoutes(operations))
    .route("/", incidentRoutes(operations))
    .route("/", identityStaffRoutes(identity))
    .route("/", billingStaffRoutes(billing))
    .route("/", notificationStaffRoutes(notifications))
    .route("/", staffOverviewRoutes({ breaches, notifications, operations, adapters, answers, backups }))
    .route("/", staffSettingsRoutes(settings))
    .route("/", supportRoutes(support))
    .route("/", supportStaffRoutes(support))
    .route("/", status)
    .get("/api/instance", describe("Get the configuration of this installation", instance), (c) =>
      c.json(instanceOf({ adapters, config })),
    );
}

/** The type from which the web app's client is derived. */
export type App = ReturnType<typeof apiRoutes>;
