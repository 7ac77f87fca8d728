import { Button, Skeleton, Stack, Text, TextInput, Title } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { isLanguage, type Language } from "../../src/shared/language.ts";
import { LETTER_ASKS, type LetterCountry } from "../../src/shared/letters.ts";
import type { LetterFacts, LetterInput, Me } from "../api/api.ts";
import { post } from "../api/call.ts";
import { meQuery } from "../api/queries.ts";
import { useShowError } from "../app/errors.tsx";
import { useLanguage, useText } from "../app/i18n.tsx";
import { Card } from "../ui/display/card.tsx";
import { useFormatDate } from "../ui/display/format_date.ts";
import { LoadFailure } from "../ui/display/load_failure.tsx";
import { useCountry } from "../ui/form/country.ts";
import { PageHead } from "../ui/frame/page_head.tsx";
import { AskFields, CompanyFields, type Draft, LawFields, partyOf, SenderFields } from "./letter_fields.tsx";
import { letterText } from "./letter_text.ts";
import { Paper, useLetterLanguage } from "./paper.tsx";
import { letterFactsQuery, lettersQuery } from "./queries.ts";

/** Where nothing says which country a reader lives in. */
const USUAL: Record<Language, LetterCountry> = { en: "GB", fr: "FR", de: "DE", it: "IT", es: "ES", pt: "PT" };

/** A letter to the company of an alert, from its draft to the day it was sent. */
export default function Letter() {
  const text = useText();
  const language = useLanguage();
  const { alert_id: id = "" } = useParams();
  const [home] = useCountry();
  const [country, setCountry] = useState<LetterCountry>(home ?? USUAL[language]);
  const { data: me } = useQuery(meQuery);
  const { data: facts, error, refetch } = useQuery(letterFactsQuery(id, country));
  return (
    <>
      <div data-screen-only>
        <PageHead title={facts ? text("letter.page", { company: facts.service }) : text("letter.title")}>
          {text("letter.lead")}
        </PageHead>
      </div>
      {facts && me ? (
        <Form id={id} facts={facts} me={me} country={country} onCountry={setCountry} />
      ) : error ? (
        <Card>
          <LoadFailure title={text("letter.load_failed")} error={error} onRetry={() => refetch()} />
        </Card>
      ) : (
        <Skeleton height={480} radius="lg" />
      )}
    </>
  );
}

type FormProps = {
  id: string;
  facts: LetterFacts;
  me: Me;
  country: LetterCountry;
  onCountry: (country: LetterCountry) => void;
};

/** The letter's language is the company's, if we write it; else the reader's. */
function firstDraft({ facts, me }: Pick<FormProps, "facts" | "me">, own: Language): Draft {
  const [company] = facts.companies;
  const theirs = company?.language;
  return {
    listed: company ? 0 : -1,
    to: partyOf(company, facts.service),
    asks: [...LETTER_ASKS],
    language: isLanguage(theirs) ? theirs : own,
    name: `${me.firstName} ${me.lastName}`,
    ownAddress: "",
    sentOn: new Date().toISOString().slice(0, 10),
  };
}

function Form({ id, facts, me, country, onCountry }: FormProps) {
  const own = useLanguage();
  const formatDate = useFormatDate();
  const text = useText();
  const [draft, setDraft] = useState(() => firstDraft({ facts, me }, own));
  const change = (more: Partial<Draft>) => setDraft((before) => ({ ...before, ...more }));
  const writing = useLetterLanguage(draft.language);
  const letter = writing && letterText({ ...facts, ...draft, country }, writing.say, writing.dayOf);
  const fields = { draft, change };
  return (
    <Stack gap="lg">
      <div data-screen-only>
        <Card>
          <Stack gap="md">
            <CompanyFields {...fields} companies={facts.companies} />
            {facts.companies.length > 0 && (
              <Text size="sm" c="dimmed">
                {text("letters.directory", {
                  date: formatDate(facts.asOf, { dateStyle: "medium", timeZone: "UTC" }),
                })}
              </Text>
            )}
            <AskFields {...fields} />
            <LawFields {...fields} country={country} onCountry={onCountry} />
            <SenderFields {...fields} />
            <Text size="sm" c="dimmed">
              {text("letter.not_advice")}
            </Text>
          </Stack>
        </Card>
      </div>
      {letter && <Paper letter={letter} language={draft.language} email={draft.to.email} />}
      <Sent id={id} draft={draft} change={change} country={country} />
    </Stack>
  );
}

type SentProps = Pick<FormProps, "id" | "country"> & { draft: Draft; change: (more: Partial<Draft>) => void };

/** Adds the letter to the list, which keeps its deadline. */
function Sent({ id, draft, change, country }: SentProps) {
  const text = useText();
  const { lang } = useParams();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const showError = useShowError("letter.sent_failed");
  const { to, asks, language, sentOn } = draft;
  const company = to.name.trim();
  const { mutate, isPending } = useMutation({
    mutationFn: (letter: LetterInput) => post("/api/alerts/:id/letters", { params: { id }, body: letter }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(lettersQuery);
      toast.success(text("letter.sent_done", { company }));
      navigate(`/${lang}/letters`);
    },
    onError: showError,
  });
  return (
    <div data-screen-only>
      <Card>
        <Stack gap="sm" align="flex-start">
          <Title order={2} size="h3">
            {text("letter.sent_title")}
          </Title>
          <Text>{text("letter.sent_text")}</Text>
          <TextInput
            type="date"
            label={text("letter.sent_on")}
            max={new Date().toISOString().slice(0, 10)}
            value={sentOn}
            onChange={({ currentTarget }) => change({ sentOn: currentTarget.value })}
          />
          <Button
            loading={isPending}
            disabled={company === "" || asks.length === 0 || sentOn === ""}
            onClick={() => mutate({ company, asks, country, language, sentOn })}
          >
            {text("letter.sent")}
          </Button>
        </Stack>
      </Card>
    </div>
  );
}
