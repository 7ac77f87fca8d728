import { useQuery } from "@tanstack/react-query";
import { instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";
import { ChannelIcon } from "../shared/channel_icon.tsx";
import { useChannelName } from "../shared/channel_name.ts";
import { isOff, shownChannels } from "../shared/offered_channels.ts";
import classes from "./off_channels.module.css";

/** Names the channels that this server has not configured. */
export function OffChannels() {
  const text = useText();
  const nameOf = useChannelName();
  const { data: instance } = useQuery(instanceQuery);
  const off = shownChannels(instance?.channels).filter((channel) => isOff(channel, instance?.channels));
  if (off.length === 0) return null;
  return (
    <ul className={classes.list}>
      {off.map((channel) => (
        <li key={channel}>
          <ChannelIcon channel={channel} />
          <span>
            {nameOf(channel)} · {text("channel.not_set_up")}
          </span>
        </li>
      ))}
    </ul>
  );
}
