import { Anchor } from "@mantine/core";
import { Link } from "react-router";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import type { Instance } from "../api/api.ts";
import { useText, useTopic } from "../app/i18n.tsx";
import classes from "./legal_page.module.css";
import { LegalPage, LegalText, Paragraphs, useLegalValues } from "./legal_page.tsx";

const NUMBERS = Array.from({ length: 20 }, (_, index) => index + 1);

export default function TermsService() {
  const terms = useTopic("terms");
  return (
    <LegalPage title="terms.title" failure="terms.load_failed" back={terms("back", "")}>
      {(instance) => <Terms instance={instance} />}
    </LegalPage>
  );
}

function Terms({ instance }: { instance: Instance }) {
  const terms = useTopic("terms");
  const text = useText();
  const values = useLegalValues(instance);
  const sections = NUMBERS.map((number) => ({
    id: `section-${number}`,
    title: terms(`section_${number}_title`, "", values),
    children: <Paragraphs>{terms(`section_${number}_body`, "", values)}</Paragraphs>,
  }));
  return (
    <>
      <LegalText lead={terms("intro", "", values)} version={terms("updated", "", values)} sections={sections} />
      <div className={classes.links}>
        <Anchor component={Link} to={`../${TERMS_PATHS.privacy}`}>
          {text("privacy.title")}
        </Anchor>
      </div>
    </>
  );
}
