import { chatError } from "../../shared/chats.ts";
import { fail, type Result } from "../../shared/result.ts";
import type { Mac } from "../../shared/secrets.ts";
import { type Connect, connectedValue } from "../contacts/connecting.ts";
import { isShared } from "../contacts/contact.ts";
import type { ContactView } from "../contacts/contact_list.ts";
import type { MayCheck } from "../contacts/validation.ts";
import type { ChatInput } from "../inputs.ts";
import type { Senders } from "../ports.ts";

const HOUR_SECONDS = 3600;

type Needs = { senders: Senders; mac: Mac; connect: Connect; mayCheck: MayCheck };

/** Chats that people connect: whoever can enter the address of one was allowed to by someone there. */
export function chats({ senders, mac, connect, mayCheck }: Needs) {
  return {
    /** What was entered is never shown again. A chat that several people read gets discreet messages at first. */
    async connectChat(
      accountId: string,
      { channel, entered, name, contactId, language, everywhere }: ChatInput,
    ): Promise<Result<ContactView, "NOT_FOUND" | "CONTACT_INVALID" | "CONTACT_LIMIT_REACHED" | "RATE_LIMITED">> {
      const look = senders[channel]?.look;
      if (!look) return fail("NOT_FOUND");
      if (!(await mayCheck(accountId))) return fail("RATE_LIMITED", { retryAfter: HOUR_SECONDS });
      const place = await look(entered);
      if ("wrong" in place)
        return fail("CONTACT_INVALID", { fields: { [`entered.${place.wrong}`]: chatError(place.wrong) } });
      const secret = JSON.stringify(place.entered);
      return connect(accountId, {
        channel,
        label: name || place.label,
        secret,
        value: connectedValue(place.host, mac("chat", secret)),
        settings: isShared({ channel, chatId: undefined }) ? { discreet: true } : {},
        isSame: (other) => other === secret,
        contactId,
        language,
        everywhere,
      });
    },
  };
}
