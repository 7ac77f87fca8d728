import { IconMailbox } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { instanceQuery } from "../../api/queries.ts";
import { useText } from "../../app/i18n.tsx";
import classes from "./sign_in_card.module.css";

/** A link to the local mailbox on an instance that does not send mail to the outside; nothing on others. */
export function MailboxLink() {
  const text = useText();
  const { data: instance } = useQuery(instanceQuery);
  if (!instance?.mailbox) return null;
  return (
    <a href="/mailbox" target="_blank" rel="noopener" className={classes.mailbox}>
      <IconMailbox size={20} stroke={1.75} aria-hidden="true" />
      {text("verify.mailbox")}
    </a>
  );
}
