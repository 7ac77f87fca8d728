import { done, mistyped, text } from "./answer.ts";
import { command } from "./command.ts";

const STANDARD = 100;
const MOST = 1000;
const CURSOR = /^[0-9a-z]{1,11}$/;

export const events = command({
  name: "events",
  says: "Print alerts, consent and staff actions as NDJSON, oldest first",
  more: "Events hold ids, not names or addresses, and are kept for 90 days. To go on, pass the last line's cursor to --after.",
  options: {
    after: { kind: "text", value: "cursor", says: "only events behind this one" },
    limit: { kind: "number", value: "n", says: `the greatest number of events, up to ${MOST}; ${STANDARD} by default` },
  },
  examples: ["events", "events --after h5x2k9m1q0 --limit 1000"],
  room: "app",
  async run({ product }, { options: { after, limit = STANDARD } }) {
    if (after !== undefined && !CURSOR.test(after)) return mistyped(`"${after}" is no cursor`);
    const list = await product.operations.operatorEvents(after, Math.min(MOST, Math.max(1, limit)));
    return done({ events: list }, ...list.map((event) => text(JSON.stringify(event))));
  },
});
