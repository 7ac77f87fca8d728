import { Anchor, NativeSelect, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { isLanguage } from "../../src/shared/language.ts";
import type { Letter } from "../api/api.ts";
import { meQuery } from "../api/queries.ts";
import { useLanguage, useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { complaintText } from "./letter_text.ts";
import { Paper, useLetterLanguage } from "./paper.tsx";
import { authoritiesQuery } from "./queries.ts";

/** The complaint about a letter without an answer, to the authority of the reader's country. */
export function Complaint({ letter }: { letter: Letter }) {
  const text = useText();
  const own = useLanguage();
  const formatDate = useFormatDate();
  const [place, setPlace] = useState(0);
  const { data } = useQuery(authoritiesQuery(letter.country));
  const { data: me } = useQuery(meQuery);
  const authority = data?.authorities[place];
  const language = isLanguage(authority?.language) ? authority.language : own;
  const writing = useLetterLanguage(language);
  if (!data || !me || !authority || !writing || letter.dueOn === null) return null;
  const { address, company, country, sentOn, dueOn } = letter;
  const today = new Date().toISOString().slice(0, 10);
  const name = `${me.firstName} ${me.lastName}`;
  const facts = { authority, name, address, company, country, sentOn, dueOn, today };
  const link = authority.webform ?? authority.website;
  return (
    <Stack gap="md">
      <div data-screen-only>
        <Card>
          <Stack gap="xs">
            <NativeSelect
              label={text("letters.authority")}
              description={data.authorities.length > 1 && text("letters.authority_hint")}
              data={data.authorities.map((one, index) => ({ value: String(index), label: one.name }))}
              value={String(place)}
              onChange={({ currentTarget }) => setPlace(Number(currentTarget.value))}
            />
            {link && (
              <Anchor href={link} target="_blank" rel="noopener noreferrer nofollow" underline="always">
                {text(authority.webform ? "letters.form" : "letters.website", {
                  host: new URL(link).host.replace(/^www\./, ""),
                })}
              </Anchor>
            )}
            <Text size="sm" c="dimmed">
              {text("letters.directory", { date: formatDate(data.asOf, { dateStyle: "medium", timeZone: "UTC" }) })}
            </Text>
          </Stack>
        </Card>
      </div>
      <Paper
        letter={complaintText(facts, writing.say, writing.dayOf)}
        language={language}
        email={authority.email ?? ""}
      />
    </Stack>
  );
}
