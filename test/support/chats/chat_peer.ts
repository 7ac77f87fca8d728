import type { Entered } from "../../../src/notifications/ports.ts";
import { type PeerRequest, startChannelPeer } from "../channel_peer.ts";
import type { PeerAnswer } from "../hibp_peer_failures.ts";

/** A chat's provider: its rules for requests, and how its messages read. */
export type ServiceOfChat<Message> = {
  /** What its settings show, which people enter. */
  entered: (origin: string) => Entered;
  /** The parts of it that nothing may show. */
  secrets: string[];
  /** Checks a request; what it accepts it passes to `take`. */
  answer(request: PeerRequest, take: (message: Message) => void): PeerAnswer;
  titleOf: (message: Message) => string;
  /** All that a reader sees. */
  textOf: (message: Message) => string;
  /** Its answer after the chat was removed there. */
  ended: PeerAnswer;
};

/** Starts a provider on loopback, reached as "hooks.example" by the tests' own resolver, or as `host`. */
export function startChat<Message>(kind: ServiceOfChat<Message> | (() => ServiceOfChat<Message>)) {
  return async ({ host = "hooks.example" }: { host?: string } = {}) => {
    // A provider that remembers something does so for one test.
    const service = typeof kind === "function" ? kind() : kind;
    const messages: Message[] = [];
    let hasEnded = false;
    const take = (message: Message) => void messages.push(message);
    const peer = await startChannelPeer({
      secure: true,
      answer: (request) => (hasEnded ? service.ended : service.answer(request, take)),
    });
    const origin = `https://${host}:${peer.port}`;
    return {
      ...peer,
      entered: service.entered(origin),
      secrets: service.secrets,
      /** Everything it accepted, even if its response was then lost. */
      messages,
      titles: () => messages.map(service.titleOf),
      texts: () => messages.map(service.textOf),
      /** The chat is removed at its provider, or is back. */
      end: (): void => {
        hasEnded = true;
      },
      revive: (): void => {
        hasEnded = false;
      },
    };
  };
}
export type ChatPeer = Omit<Awaited<ReturnType<ReturnType<typeof startChat>>>, "messages">;
