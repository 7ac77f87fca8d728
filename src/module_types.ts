import type { Billing } from "./billing/mod.ts";
import type { Breaches } from "./breaches/mod.ts";
import type { Domains } from "./domains/mod.ts";
import type { Identity } from "./identity/mod.ts";
import type { Invitations } from "./invitations/mod.ts";
import type { Notifications } from "./notifications/mod.ts";
import type { Operations } from "./operations/mod.ts";
import type { Support } from "./support/mod.ts";
import type { Tracking } from "./tracking/mod.ts";

/** What the routes, the jobs and the subscriptions call. */
export type Modules = {
  identity: Identity;
  billing: Billing;
  breaches: Breaches;
  tracking: Tracking;
  invitations: Invitations;
  notifications: Notifications;
  operations: Operations;
  support: Support;
  domains: Domains;
};
