import type { Channel } from "../../src/shared/contacts.ts";
import classes from "./channel_icon.module.css";

/**
 * Our own icons on a 24 × 24 grid: envelope, paper plane, ringing phone, speech bubble with a prompt, connected nodes, hash
 * sign, face in a bubble, two people, brackets, bell in a circle, megaphone, bell with a badge.
 */
const PATHS: Record<Channel, string> = {
  email: "M4 6.5h16a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1ZM3.5 7.5 12 13l8.5-5.5",
  telegram: "M20.5 4 3 11l6 2.5M20.5 4 17 20l-8-6.5M20.5 4 9 13.5V20l3-4",
  pushover: "M8.5 3.5h7a1 1 0 0 1 1 1v15a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-15a1 1 0 0 1 1-1ZM11 17.5h2M4 9v6M20 9v6",
  ntfy: "M5 4.5h14a1 1 0 0 1 1 1v10a1 1 0 0 1-1 1H10L6 20v-3.5H5a1 1 0 0 1-1-1v-10a1 1 0 0 1 1-1ZM8 8l2.5 2.5L8 13M12.5 13H16",
  webhook:
    "M12 4.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM6 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM18 14.5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM10.8 9.2 7.2 14.8M13.2 9.2l3.6 5.6M8.5 17h7",
  discord: "M4.5 18.5V8a2 2 0 0 1 2-2h11a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H8ZM9.5 10v3M14.5 10v3",
  teams:
    "M9 5a2.5 2.5 0 1 1 0 5 2.5 2.5 0 0 1 0-5ZM16.5 6.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4ZM4 18.5v-2a4 4 0 0 1 4-4h2a4 4 0 0 1 4 4v2ZM16 13h1a3.5 3.5 0 0 1 3.5 3.5v2",
  matrix: "M6.5 3.5h-3v17h3M17.5 3.5h3v17h-3M8 16v-6M8 11.5a2 2 0 0 1 4 0V16M12 11.5a2 2 0 0 1 4 0V16",
  gotify: "M12 3a9 9 0 1 1 0 18 9 9 0 0 1 0-18ZM8.5 15h7l-1-1.5V11a2.5 2.5 0 0 0-5 0v2.5ZM11 17.2h2",
  apprise: "M3.5 9.5v5h3l7 4v-13l-7 4ZM16.5 9.5a4 4 0 0 1 0 5M19 7a8 8 0 0 1 0 10",
  slack: "M9.5 3.5v17M14.5 3.5v17M3.5 9.5h17M3.5 14.5h17",
  webpush:
    "M6 16.5h12l-1.5-2.5v-3.5a4.5 4.5 0 0 0-6.5-4M7.5 9a4.5 4.5 0 0 0 0 1.5V14L6 16.5M10 19.5a2 2 0 0 0 4 0M6.5 3.5a2 2 0 1 1 0 4 2 2 0 0 1 0-4Z",
};

/** A channel's icon; decorative, as the name is next to it. */
export function ChannelIcon({ channel }: { channel: Channel }) {
  return (
    <span className={classes.tile} data-channel={channel}>
      <svg viewBox="0 0 24 24" width={22} height={22} aria-hidden="true">
        <path d={PATHS[channel]} />
      </svg>
    </span>
  );
}
