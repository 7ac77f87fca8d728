import { startMattermostPeer, startSlackPeer } from "./slack_peer.ts";

/** A stand-in for the provider of each chat, by the name that tests give it; several can be of one kind. */
export const CHAT_PEERS = {
  slack: { chat: "slack", start: startSlackPeer },
  mattermost: { chat: "slack", start: startMattermostPeer },
} as const;
export type ChatPeerName = keyof typeof CHAT_PEERS;
