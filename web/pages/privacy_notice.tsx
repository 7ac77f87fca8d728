import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import type { Instance } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import classes from "./legal_page.module.css";
import { LegalPage, LegalText, Paragraphs, useLegalValues } from "./legal_page.tsx";
import { type PrivacySection, privacySections } from "./privacy_sections.ts";

export default function PrivacyNotice() {
  const privacy = useTopic("privacy");
  return (
    <LegalPage title="privacy.title" failure="privacy.load_failed" back={privacy("back", "")}>
      {(instance) => <Notice instance={instance} />}
    </LegalPage>
  );
}

function Notice({ instance }: { instance: Instance }) {
  const privacy = useTopic("privacy");
  const text = useText();
  const values = useLegalValues(instance);
  const words = (key: string) => privacy(key, "", values);
  const sections = privacySections(instance).map((section) => ({
    id: section.id,
    title: words(`${section.id}_title`),
    children: <Content section={section} words={words} />,
  }));
  return (
    <>
      <LegalText lead={words("lead")} version={words("updated")} sections={sections} />
      <div className={classes.links}>
        <Anchor component={Link} to={`../${TERMS_PATHS.terms}`}>
          {text("terms.title")}
        </Anchor>
      </div>
    </>
  );
}

type ContentProps = { section: PrivacySection; words: (key: string) => string };

function Content({ section: { id, items = [], links = [] }, words }: ContentProps) {
  // A section about retention only has no introduction.
  const said = words(`${id}_text`);
  return (
    <>
      {said && <Paragraphs>{said}</Paragraphs>}
      {items.length > 0 && (
        <dl className={classes.facts}>
          {items.map((item) => (
            <div key={item}>
              <dt>{words(item)}</dt>
              <dd>{words(`${item}_text`)}</dd>
            </div>
          ))}
        </dl>
      )}
      {links.length > 0 && (
        <div className={classes.links}>
          {links.map(([page, label]) => (
            <Anchor key={page} component={Link} to={`../${page}`}>
              {words(label)}
            </Anchor>
          ))}
        </div>
      )}
    </>
  );
}
