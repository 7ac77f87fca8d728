import type { Chat } from "../../../shared/chats.ts";
import { apprise } from "./apprise/apprise.ts";
import type { ChatKind } from "./chat_sender.ts";
import { discord } from "./discord/discord.ts";
import { gotify } from "./gotify/gotify.ts";
import { matrix } from "./matrix/matrix.ts";
import { slack } from "./slack/slack.ts";
import { teams } from "./teams/teams.ts";

/** Every chat; one line for each folder. */
export const CHAT_KINDS: Record<Chat, ChatKind> = { slack, discord, teams, matrix, gotify, apprise };
