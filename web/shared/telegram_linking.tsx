import { Button } from "@mantine/core";
import { IconCircleCheck, IconHourglassOff, IconUserQuestion } from "@tabler/icons-react";
import type { ContactHealth } from "../api/api.ts";
import { useText } from "../app/i18n.tsx";
import { Notice } from "../ui/display/notice.tsx";
import { contactName } from "./contact_name.ts";
import classes from "./telegram_card.module.css";
import { TelegramCard } from "./telegram_card.tsx";
import type { Linking } from "./use_linking.ts";

/** The contact to connect. */
type Named = Pick<ContactHealth, "channel" | "value">;
type Props = { contact: ContactHealth; linking: Linking };

/** The progress of connecting a chat, with the next step. */
export function TelegramLinking({ contact, linking }: Props) {
  const { link, isDone } = linking;
  return (
    <div aria-live="polite" className={classes.live}>
      {link?.state === "waiting" && <TelegramCard link={link} linking={linking} />}
      {link?.state === "needs_confirmation" && <Question contact={contact} linking={linking} />}
      {link?.state === "expired" && <Expired linking={linking} />}
      {isDone && <Connected contact={contact} />}
    </div>
  );
}

/** Before connecting: for one's own chat, or a link for another person. */
export function ConnectButtons({ contact, linking: { link, start, starting } }: { contact: Named; linking: Linking }) {
  const text = useText();
  const value = contactName(contact);
  if (link && link.state !== "none" && link.state !== "linked") return null;
  return (
    <div className={classes.remedies}>
      <Button
        size="sm"
        loading={starting}
        aria-label={text("connect.connect_label", { value })}
        onClick={() => start("me")}
      >
        {text("connect.connect")}
      </Button>
      {(["somebody", "group"] as const).map((whose) => (
        <Button
          key={whose}
          size="sm"
          variant="default"
          disabled={starting}
          aria-label={text(`connect.${whose}_label`, { value })}
          onClick={() => start(whose)}
        >
          {text(`connect.${whose}`)}
        </Button>
      ))}
    </div>
  );
}

/** The link was opened under another username: the account has to confirm the person. */
function Question({ contact, linking }: Props) {
  const text = useText();
  const { link, confirm, confirming, start, starting } = linking;
  if (!link?.candidate) return null;
  const { username, name, isGroup } = link.candidate;
  return (
    <Notice
      icon={IconUserQuestion}
      tone="note"
      action={
        <div className={classes.remedies}>
          <Button size="sm" loading={confirming} disabled={starting} onClick={confirm}>
            {text("connect.use")}
          </Button>
          <Button
            size="sm"
            variant="default"
            loading={starting}
            disabled={confirming}
            onClick={() => start(linking.shown?.whose ?? "me")}
          >
            {text("connect.try_again")}
          </Button>
        </div>
      }
    >
      <span className="breakable">
        {isGroup || username === null
          ? text(isGroup ? "connect.is_group" : "connect.is_nameless", { name })
          : text("connect.is_other", { candidate: `@${username}`, value: contactName(contact) })}
      </span>
    </Notice>
  );
}

function Expired({ linking: { start, starting, shown } }: Pick<Props, "linking">) {
  const text = useText();
  return (
    <Notice
      icon={IconHourglassOff}
      tone="quiet"
      action={
        <Button size="sm" variant="default" loading={starting} onClick={() => start(shown?.whose ?? "me")}>
          {text("connect.new_link")}
        </Button>
      }
    >
      {text("connect.expired")}
    </Notice>
  );
}

function Connected({ contact }: Pick<Props, "contact">) {
  const text = useText();
  return (
    <Notice icon={IconCircleCheck} tone="safe">
      <span className="breakable">{text("connect.connected", { label: contact.label ?? contactName(contact) })}</span>
    </Notice>
  );
}
