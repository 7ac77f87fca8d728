import { Anchor } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { Channel } from "../../src/shared/contacts.ts";
import { instanceQuery } from "../api/queries.ts";
import { useText } from "../app/i18n.tsx";

/**
 * Links to the local inbox of a channel on an instance that does not send to the outside; nothing on other instances.
 */
export function InboxLink({ channel }: { channel: Channel }) {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  if (channel === "email" || !instance?.inbox.some((one) => one === channel)) return null;
  return (
    <Anchor href={`/mailbox/${channel}`} target="_blank" rel="noopener" size="sm" underline="always">
      {text("verify.mailbox")}
    </Anchor>
  );
}
