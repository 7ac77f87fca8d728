import { Anchor } from "@mantine/core";
import { Link, useLoaderData } from "react-router";
import { TERMS_PATHS } from "../../src/shared/terms.ts";
import type { ConsentLink } from "../api/api.ts";
import type { Admission } from "../app/guards.ts";
import { useText } from "../app/i18n.tsx";
import { ConsentRecord } from "../shared/consent_record.tsx";
import { NewTab } from "../ui/display/links.tsx";
import classes from "./manage_invitation.module.css";

/** The history of the consent, collapsed. */
export function RecordOfConsent({ link: { record, inviter } }: { link: ConsentLink }) {
  const text = useText();
  return (
    <details className={classes.record}>
      <summary>{text("record.title")}</summary>
      <p>{text("consent.record_lead")}</p>
      <ConsentRecord entries={record} inviter={inviter.name} />
    </details>
  );
}

/** Opens in a new tab, since the token of this page is lost when it is left. */
export function PrivacyLink() {
  const text = useText();
  return (
    <p className={classes.onwards}>
      <NewTab page={`${TERMS_PATHS.privacy}#watched`} underline="hover">
        {text("consent.privacy")}
      </NewTab>
    </p>
  );
}

/** Links for users with an account. */
export function Onwards() {
  const text = useText();
  const { level } = useLoaderData() as Admission;
  if (level !== "authenticated") return null;
  return (
    <p className={classes.onwards}>
      <Anchor component={Link} to="../dashboard">
        {text("consent.to_dashboard")}
      </Anchor>
    </p>
  );
}
