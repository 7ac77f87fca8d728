import { IconMail } from "@tabler/icons-react";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { createIntl } from "react-intl";
import { type Language, localeOf } from "../../src/shared/language.ts";
import { PRODUCT } from "../../src/shared/product.ts";
import { meQuery } from "../api/queries.ts";
import { invitationTexts, readableValues, useText } from "../app/i18n.tsx";
import classes from "./invitation_preview.module.css";

type Props = { address: string; language: Language };

/** The words of the mail in that language. */
export function invitationTextsQuery(language: Language) {
  return queryOptions({
    queryKey: ["invitation texts", language],
    queryFn: async () => ({ language, messages: await invitationTexts(language) }),
    staleTime: Number.POSITIVE_INFINITY,
    // What is below does not move while another language loads.
    placeholderData: keepPreviousData,
  });
}

/** The beginning of the invitation mail, with its actual text. */
export function InvitationPreview({ address, language }: Props) {
  const text = useText();
  const title = useId();
  const { data: me } = useQuery(meQuery);
  const { data: texts } = useQuery(invitationTextsQuery(language));
  if (!texts || !me) return null;
  const locale = localeOf(texts.language);
  const { formatMessage } = createIntl({ locale, messages: texts.messages });
  const name = `${me.firstName} ${me.lastName}`;
  const values = readableValues({ name, product: PRODUCT, address: address.trim() || "…" });
  const say = (part: string) => formatMessage({ id: `invitation.${part}` }, values);
  return (
    <section aria-labelledby={title} className={classes.preview}>
      <h2 id={title}>
        <IconMail size={18} aria-hidden="true" />
        {text("track.preview")}
      </h2>
      <div lang={locale} translate="no" className={classes.mail}>
        <p className={classes.subject}>{say("subject")}</p>
        <p className={classes.heading}>{say("heading")}</p>
        <p className="breakable">{say("who")}</p>
        <p>{say("preview")}</p>
      </div>
    </section>
  );
}
