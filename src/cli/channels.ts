import { CHANNELS, type Channel } from "../shared/contacts.ts";
import { type Cell, done, table, text } from "./answer.ts";
import { command } from "./command.ts";
import { many, minute } from "./words.ts";

const look = command({
  name: "channels",
  says: "Show whether each channel sends, and if not, why",
  examples: ["channels", "channels --json"],
  room: "app",
  async run({ product }) {
    const [health, counts] = await Promise.all([
      product.notifications.channelsHealth(),
      product.notifications.stateCounts(),
    ]);
    const heldBy = (channel: Channel) =>
      counts
        .filter((one) => one.channel === channel && one.state === "held" && one.reason === "misconfigured")
        .reduce((sum, { count }) => sum + count, 0);
    const channels = health.map((one) => ({ ...one, held: heldBy(one.channel) }));
    const rows = channels.map(({ channel, state, pausedUntil, held, trouble }): Cell[] => [
      channel,
      { text: state, tone: state === "well" ? "good" : "bad" },
      pausedUntil === null ? "–" : minute(pausedUntil),
      String(held),
      trouble ?? "–",
    ]);
    return done(
      { channels },
      table(["CHANNEL", "STATE", "NEXT TRY (UTC)", "HELD", "REASON"], rows, "There are no channels."),
    );
  },
});

const resume = command({
  name: "channels resume",
  says: "Send now what a repaired channel holds or has postponed",
  more: "A channel notices by itself, within ten minutes, that it works again. This saves the wait.",
  arguments: [{ name: "channel", says: "all if none is named", choices: CHANNELS, optional: true }],
  examples: ["channels resume", "channels resume email"],
  room: "app",
  changes: true,
  async run({ product, audit }, { arguments: [named] }) {
    const channels = named === undefined ? [...CHANNELS] : [named as Channel];
    const count = await product.notifications.resumeChannels(channels);
    await audit("message_released", { kind: "message", id: "all" }, { count: String(count) });
    return done({ channels, count }, text(`${many(count, "message")} tried again.`));
  },
});

export const channels = [look, resume];
