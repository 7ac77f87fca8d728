import { Hono } from "hono";
import { json } from "../../../http/body.ts";
import { describe } from "../../../http/describe.ts";
import { reply } from "../../../http/reply.ts";
import { fullSession, type HttpEnv } from "../../../http/session.ts";
import { chatInput } from "../../inputs.ts";
import type { Notifications } from "../../mod.ts";
import { contact } from "./contacts.ts";

/** Chats that people connect. */
export function chatRoutes(notifications: Notifications) {
  return new Hono<HttpEnv>().post(
    "/api/chats",
    describe("Connect a chat", contact, 201),
    fullSession,
    json(chatInput),
    async (c) => reply(c, await notifications.connectChat(c.get("session").accountId, c.req.valid("json")), 201),
  );
}
