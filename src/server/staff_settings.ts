import { Hono } from "hono";
import * as v from "valibot";
import type { BackupState } from "../backup/schedule.ts";
import type { Installation, Part } from "../config/installation.ts";
import { json, param } from "../http/body.ts";
import { hidden } from "../http/describe.ts";
import { reply, replyFailure } from "../http/reply.ts";
import { confirmedSession, type HttpEnv, staffSession } from "../http/session.ts";
import type { Modules } from "../module_types.ts";
import type { Tested } from "../shared/connection_test.ts";
import { ok } from "../shared/result.ts";
import { isKeyRefused } from "../shared/sources.ts";

const CHANNELS = ["email", "telegram", "pushover"] as const;
const SOURCES = ["hibp", "xposedornot"] as const;
const named = v.object({ connection: v.picklist([...CHANNELS, ...SOURCES]) });
const nothing = v.strictObject({});

type Parts = Pick<Modules, "notifications" | "breaches" | "domains" | "identity"> & {
  installation: Installation;
  backups(): Promise<{ state: BackupState; lastAt: string | null }>;
  now: () => Date;
};
type Health = {
  state: "paused" | "troubled";
  cause: Tested | "source" | "domain_key" | "backup" | "backup_overdue" | null;
};

/** The parts that are set up but do not work at present, by name. */
async function healthOf(
  { breaches, domains, notifications, now }: Parts,
  backup: BackupState,
): Promise<Map<string, Health>> {
  const health = new Map<string, Health>();
  for (const { channel, state, trouble } of await notifications.channelsHealth()) {
    if (state === "well") continue;
    const cause = notifications.causeOfTrouble(trouble ?? "");
    health.set(channel, { state: state === "resting" ? "paused" : "troubled", cause });
  }
  for (const { source, trouble, lookUpTrouble, pausedUntil } of await breaches.sourcesHealth()) {
    if (trouble !== null || lookUpTrouble !== null) health.set(source, { state: "troubled", cause: "source" });
    else if (pausedUntil !== null && new Date(pausedUntil) > now())
      health.set(source, { state: "paused", cause: null });
  }
  for (const { source, reason } of await domains.sourceTroubles())
    if (isKeyRefused(reason) && health.get(source)?.state !== "troubled")
      health.set(source, { state: "troubled", cause: "domain_key" });
  if (backup === "failed") health.set("backups", { state: "troubled", cause: "backup" });
  if (backup === "overdue") health.set("backups", { state: "troubled", cause: "backup_overdue" });
  return health;
}

/** For staff: what this installation uses, and tests of its channels and sources. */
export function staffSettingsRoutes(parts: Parts) {
  const { installation, identity, notifications, breaches } = parts;

  function shown<Name extends string>(list: Part<Name>[], health: Map<string, Health>) {
    return list.map(({ name, mode, value, settings, ...part }) => {
      const found = part.state === "off" ? undefined : health.get(name);
      const testable = part.state !== "off" && [...CHANNELS, ...SOURCES].some((one) => one === name);
      const state: typeof part.state | Health["state"] = found?.state ?? part.state;
      return { name, state, cause: found?.cause ?? null, mode, value, settings, testable };
    });
  }

  return new Hono<HttpEnv>()
    .get("/api/staff/settings", hidden, staffSession, async (c) => {
      const { state, lastAt } = await parts.backups();
      const health = await healthOf(parts, state);
      const { access, channels, sources, plans, data, limits } = installation;
      return c.json({
        access: shown(access, health),
        channels: shown(channels, health),
        sources: shown(sources, health),
        plans: shown(plans, health),
        data: shown(data, health),
        lastBackupAt: lastAt,
        limits: shown(limits, health),
      });
    })
    .post(
      "/api/staff/tests/:connection",
      hidden,
      staffSession,
      confirmedSession,
      param(named),
      json(nothing),
      async (c) => {
        const { connection } = c.req.valid("param");
        const { accountId } = c.get("session");
        const noted = await identity.noteTest(accountId, connection);
        if (!noted.ok) return replyFailure(c, noted);
        const isSource = connection === "hibp" || connection === "xposedornot";
        const outcome = isSource
          ? await breaches.trySource(connection)
          : await notifications.tryChannel(connection, accountId);
        return reply(c, ok({ outcome }));
      },
    );
}
