import { IconMail } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { createIntl } from "react-intl";
import { type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import { meQuery } from "../api/queries.ts";
import { invitationTexts, readableValues, useText } from "../app/i18n.tsx";
import classes from "./invitation_preview.module.css";

type Props = { address: string; language: Language };

/** The beginning of the invitation mail, with its actual text. */
export function InvitationPreview({ address, language }: Props) {
  const text = useText();
  const title = useId();
  const { data: me } = useQuery(meQuery);
  const { data: messages } = useQuery({
    queryKey: ["invitation texts", language],
    queryFn: () => invitationTexts(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!messages || !me) return null;
  const { formatMessage } = createIntl({ locale: localeOf(language), messages });
  const name = `${me.firstName} ${me.lastName}`;
  const values = readableValues({ name, product: PRODUCT, address: address.trim() || "…" });
  const say = (part: string) => formatMessage({ id: `invitation.${part}` }, values);
  return (
    <section aria-labelledby={title} className={classes.preview}>
      <h2 id={title}>
        <IconMail size={18} aria-hidden="true" />
        {text("track.preview")}
      </h2>
      <div lang={localeOf(language)} translate="no" className={classes.mail}>
        <p className={classes.subject}>{say("subject")}</p>
        <p className={classes.heading}>{say("heading")}</p>
        <p className="breakable">{say("who")}</p>
        <p>{say("preview")}</p>
      </div>
    </section>
  );
}
