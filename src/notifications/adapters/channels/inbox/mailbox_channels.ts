import { type Context, Hono } from "hono";
import type { HttpEnv } from "../../../../http/session.ts";
import { pushoverPage, telegramPage } from "./mailbox_channel_pages.ts";
import type { PageOptions } from "./mailbox_shell.ts";
import type { StandIns } from "./mailbox_stand_ins.ts";

export type Show = (c: Context<HttpEnv>, render: (options: PageOptions) => string) => Response | Promise<Response>;
type ChannelOptions = {
  standIns: StandIns;
  show: Show;
  /** The username typed for the recipient of a link. */
  nameFor: (payload: string) => Promise<string | undefined>;
  now: () => Date;
};

const NAME = /^@?([A-Za-z]\w{3,31})$/;
const PAYLOAD = /^[\w-]{0,64}$/;

type Form = Record<string, unknown>;
const textIn = (form: Form, name: string) => (typeof form[name] === "string" ? form[name] : "");

/** Performs a person's action in Telegram; false if it is invalid. */
function actInChat(telegram: NonNullable<StandIns["telegram"]>, form: Form): boolean {
  const person = Number(textIn(form, "person"));
  switch (form.act) {
    case "start": {
      const name = NAME.exec(textIn(form, "username").trim())?.[1];
      if (name === undefined || !PAYLOAD.test(textIn(form, "payload"))) return false;
      telegram.start(name, textIn(form, "payload"), textIn(form, "place") === "group");
      return true;
    }
    case "write":
      telegram.write(person, textIn(form, "text").slice(0, 4096));
      return true;
    case "press":
      telegram.press(Number(textIn(form, "message")), textIn(form, "data"));
      return true;
    case "block":
    case "unblock":
      telegram.block(person, form.act === "block");
      return true;
    default:
      return false;
  }
}

/** The tabs for the local Telegram and Pushover; access control is up to the caller. */
export function channelTabs({ standIns: { telegram, pushover }, show, nameFor, now }: ChannelOptions) {
  const routes = new Hono<HttpEnv>();
  const invalid = (c: Context<HttpEnv>) => c.text("", 400);
  if (telegram) {
    routes
      .get("/mailbox/telegram", (c) => show(c, (options) => telegramPage(telegram.look(), undefined, options)))
      // Like t.me/<bot>?start=<payload>, which opens the chat with a Start button; `startgroup` adds the bot to a group.
      .get("/mailbox/telegram/:bot", async (c) => {
        const group = c.req.query("startgroup");
        const payload = group ?? c.req.query("start") ?? "";
        if (c.req.param("bot") !== telegram.username || !PAYLOAD.test(payload)) return c.notFound();
        const typed = payload === "" ? undefined : await nameFor(payload);
        const opened = {
          bot: telegram.username,
          payload,
          typed: typed ?? "",
          place: group === undefined ? "chat" : "group",
        } as const;
        return show(c, (options) => telegramPage(telegram.look(), opened, options));
      })
      .post("/mailbox/telegram", async (c) =>
        actInChat(telegram, await c.req.parseBody()) ? c.redirect("/mailbox/telegram", 303) : invalid(c),
      );
  }
  if (pushover) {
    routes
      .get("/mailbox/pushover", (c) => show(c, (options) => pushoverPage(pushover.look(), now(), options)))
      .post("/mailbox/pushover", async (c) => {
        const form = await c.req.parseBody();
        if (form.act !== "acknowledge") return invalid(c);
        pushover.acknowledge(textIn(form, "receipt"));
        return c.redirect("/mailbox/pushover", 303);
      });
  }
  return routes;
}
