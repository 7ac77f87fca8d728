import { Button, Group, Title } from "@mantine/core";
import { IconCopy, IconMail, IconPrinter } from "@tabler/icons-react";
import { queryOptions, useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { createIntl } from "react-intl";
import { toast } from "sonner";
import { withFirst } from "../../src/shared/first_of_month.ts";
import { type Language, localeOf } from "../../src/shared/language.ts";
import { letterTexts, readableValues, useText } from "../app/i18n.tsx";
import { copyText } from "../ui/clipboard.ts";
import { type DayOf, type LetterText, mailDraft, plainLetter, type SayLetter } from "./letter_text.ts";
import classes from "./paper.module.css";

function letterTextsQuery(language: Language) {
  return queryOptions({
    queryKey: ["letter texts", language],
    queryFn: () => letterTexts(language),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** What writes a letter in this language; undefined while its texts are loading. */
export function useLetterLanguage(language: Language): { say: SayLetter; dayOf: DayOf } | undefined {
  const { data: messages } = useQuery(letterTextsQuery(language));
  if (messages === undefined) return undefined;
  const locale = localeOf(language);
  const { formatMessage } = createIntl({ locale, messages });
  const format = new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" });
  return {
    say: (key, values) => formatMessage({ id: key }, readableValues(values)),
    dayOf: (day) => withFirst(format.format(new Date(day)), locale),
  };
}

type Props = { letter: LetterText; language: Language; email: string };

/** A letter as it looks on paper, and the ways to take it along. Nothing is sent from here. */
export function Paper({ letter, language, email }: Props) {
  const text = useText();
  const title = useId();
  return (
    <section aria-labelledby={title} className={classes.section}>
      <Title order={2} id={title} data-screen-only>
        {text("letter.preview")}
      </Title>
      <article lang={localeOf(language)} translate="no" className={classes.paper} data-letter>
        <Lines lines={letter.from} />
        <Lines lines={letter.to} />
        <p className={classes.day}>{letter.day}</p>
        <p className={classes.subject}>{letter.subject}</p>
        {letter.paragraphs.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
      </article>
      <Ways letter={letter} email={email} />
    </section>
  );
}

function Lines({ lines }: { lines: string[] }) {
  return (
    <address className={classes.lines}>
      {lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    </address>
  );
}

function Ways({ letter, email }: Pick<Props, "letter" | "email">) {
  const text = useText();
  async function copy() {
    await copyText(plainLetter(letter));
    toast.success(text("letter.copied"));
  }
  return (
    <Group gap="sm" data-screen-only>
      <Button
        component="a"
        href={mailDraft(email, letter)}
        leftSection={<IconMail size={18} aria-hidden="true" />}
        variant="default"
      >
        {text("letter.mail")}
      </Button>
      <Button
        variant="default"
        leftSection={<IconPrinter size={18} aria-hidden="true" />}
        onClick={() => window.print()}
      >
        {text("letter.print")}
      </Button>
      <Button variant="default" leftSection={<IconCopy size={18} aria-hidden="true" />} onClick={copy}>
        {text("letter.copy")}
      </Button>
    </Group>
  );
}
