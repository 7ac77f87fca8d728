import { Button } from "@mantine/core";
import { toast } from "sonner";
import { isChat } from "../../src/shared/chats.ts";
import type { ContactHealth } from "../api/api.ts";
import { post } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { contactName } from "../shared/contact_name.ts";
import { ConnectButtons } from "../shared/telegram_linking.tsx";
import type { Linking } from "../shared/use_linking.ts";
import classes from "./contact_card.module.css";
import { hasNoSecret } from "./contact_state.ts";
import { ConnectAgain } from "./push_device.tsx";
import { useContactAction } from "./queries.ts";

/** The button that fixes a contact which receives no messages, if there is one. */
export function ContactRemedy({ contact, linking }: { contact: ContactHealth; linking: Linking }) {
  const { channel, state, asked } = contact;
  if (channel === "telegram") {
    return (
      <div className={classes.remedies}>
        {state === "broken" && <Remedy contact={contact} act="repair" />}
        <ConnectButtons contact={contact} linking={linking} />
      </div>
    );
  }
  if (channel === "webpush") return state === "broken" ? <ConnectAgain contact={contact} /> : null;
  // A webhook needs a signing secret first, and a chat a connection, which their actions offer.
  if (state === "unconfirmed")
    return hasNoSecret(contact) || isChat(channel) ? null : (
      <Remedy contact={contact} act={asked ? "ask" : "request"} />
    );
  if (state === "unsubscribed" && contact.own) return <Remedy contact={contact} act="resume" />;
  return state === "broken" ? <Remedy contact={contact} act="repair" /> : null;
}

const ACTS = {
  request: { path: "/api/contacts/:id/ask", done: "contact_card.requested", failed: "contact_card.ask_failed" },
  ask: { path: "/api/contacts/:id/ask", done: "contact_card.asked", failed: "contact_card.ask_failed" },
  repair: { path: "/api/contacts/:id/repair", done: "contact_card.repaired", failed: "contact_card.repair_failed" },
  resume: { path: "/api/contacts/:id/repair", done: "contact_card.repaired", failed: "contact_card.resume_failed" },
} as const;

function Remedy({ contact, act }: { contact: ContactHealth; act: keyof typeof ACTS }) {
  const text = useText();
  const value = contactName(contact);
  const { path, done, failed } = ACTS[act];
  const { mutate, isPending } = useContactAction({
    call: () => post(path, { params: { id: contact.id } }),
    failureTitle: failed,
    onDone: () => toast.success(text(done, { value })),
  });
  return (
    <Button
      size="sm"
      variant="default"
      loading={isPending}
      aria-label={text(`contact_card.${act}_label`, { value })}
      onClick={() => mutate()}
    >
      {text(`contact_card.${act}`)}
    </Button>
  );
}
