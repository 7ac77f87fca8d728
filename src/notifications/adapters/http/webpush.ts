import { Hono } from "hono";
import * as v from "valibot";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { deviceInput, seenInput } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";
import { contact } from "./contacts.ts";

/** Notifications in browsers. */
export function webPushRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>()
    .get(
      "/api/push/key",
      describe("Get the key that a browser subscribes with", v.object({ key: v.string() })),
      fullSession,
      async (c) => reply(c, await notifications.pushKey()),
    )
    .post(
      "/api/push/devices",
      describe("Connect this browser for notifications", contact, 201),
      fullSession,
      json(deviceInput),
      async (c) => reply(c, await notifications.connectDevice(c.get("session").accountId, c.req.valid("json")), 201),
    )
    .post("/api/push/seen", describe("Note that a notification was seen"), json(seenInput), async (c) =>
      reply(c, await notifications.markPushSeen(c.req.valid("json"))),
    );
}
