import { Select, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useParams } from "react-router";
import { isLanguage, type Language } from "../../src/shared/language.ts";
import { get } from "../api/call.ts";
import { useText } from "../app/i18n.tsx";
import { Fetched } from "../ui/display/fetched.tsx";
import { LANGUAGE_OPTIONS } from "../ui/frame/language_picker.tsx";
import { Part } from "./part.tsx";
import classes from "./staff.module.css";
import { StaffPage } from "./staff_page.tsx";

/** Previews of all messages in each language. */
export default function Mails() {
  const text = useText();
  const { lang } = useParams();
  const [language, setLanguage] = useState<Language>(isLanguage(lang) ? lang : "en");
  const [kind, setKind] = useState("alert");
  const kinds = useQuery({
    queryKey: ["/api/staff/mails", language],
    queryFn: () => get("/api/staff/mails", { query: { language } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <StaffPage title={text("staff.mails")} lead={text("staff.mails.lead")}>
      <div className={classes.filters}>
        <Select
          label={text("staff.mails.language")}
          data={LANGUAGE_OPTIONS}
          value={language}
          onChange={(value) => isLanguage(value ?? undefined) && setLanguage(value as Language)}
          allowDeselect={false}
        />
        <Fetched query={kinds} failureTitle={text("staff.load_failed")} height={60}>
          {({ mails }) => (
            <Select
              label={text("staff.mails.kind")}
              data={mails.map((mail) => ({ value: mail.kind, label: `${mail.subject} (${mail.kind})` }))}
              value={kind}
              onChange={(value) => setKind(value ?? kind)}
              allowDeselect={false}
              searchable
              maxDropdownHeight={420}
            />
          )}
        </Fetched>
      </div>
      <Preview kind={kind} language={language} />
    </StaffPage>
  );
}

function Preview({ kind, language }: { kind: string; language: Language }) {
  const text = useText();
  const query = useQuery({
    queryKey: ["/api/staff/mails", kind, language],
    queryFn: () => get("/api/staff/mails/:kind/:language", { params: { kind, language } }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  return (
    <Fetched query={query} failureTitle={text("staff.load_failed")} height={720}>
      {({ subject, preview, text: plain }) => (
        <Part title={subject}>
          <Text c="dimmed" lang={language}>
            {preview}
          </Text>
          <iframe
            className={classes.frame}
            title={text("staff.mails.html")}
            sandbox=""
            src={`/api/staff/mails/${encodeURIComponent(kind)}/${language}/html`}
          />
          <details>
            <summary>{text("staff.mails.text")}</summary>
            <pre className={classes.text} lang={language}>
              {plain}
            </pre>
          </details>
        </Part>
      )}
    </Fetched>
  );
}
