import type { Message, MessageSender, Outcome } from "../../src/notifications/ports.ts";

/** A sender that responds only when told to. */
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
