import { startApprisePeer } from "./apprise_peer.ts";
import { startDiscordPeer } from "./discord_peer.ts";
import { startGotifyPeer } from "./gotify_peer.ts";
import { startMatrixPeer } from "./matrix_peer.ts";
import { startMattermostPeer, startSlackPeer } from "./slack_peer.ts";
import { startTeamsPeer } from "./teams_peer.ts";

/** A stand-in for the provider of each chat, by the name that tests give it; several can be of one kind. */
export const CHAT_PEERS = {
  slack: { chat: "slack", start: startSlackPeer },
  discord: { chat: "discord", start: startDiscordPeer },
  teams: { chat: "teams", start: startTeamsPeer },
  matrix: { chat: "matrix", start: startMatrixPeer },
  gotify: { chat: "gotify", start: startGotifyPeer },
  apprise: { chat: "apprise", start: startApprisePeer },
  mattermost: { chat: "slack", start: startMattermostPeer },
} as const;
export type ChatPeerName = keyof typeof CHAT_PEERS;
