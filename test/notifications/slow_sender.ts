import type { Message, MessageSender, Outcome } from "../../src/notifications/ports.ts";

/** A sender that answers only when it is told to. */
export function slowSender() {
  const waiting: { message: Message; answer: (outcome: Outcome) => void }[] = [];
  let arrived = () => {};
  const sender: MessageSender = {
    channel: "email",
    send: (message) =>
      new Promise((answer) => {
        waiting.push({ message, answer });
        arrived();
      }),
  };
  return {
    sender,
    waiting,
    async until(count: number): Promise<void> {
      while (waiting.length < count) await new Promise<void>((resolve) => (arrived = resolve));
    },
  };
}
