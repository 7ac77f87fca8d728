import { Button } from "@mantine/core";
import { IconKey, IconShieldLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Factors } from "../../api/api.ts";
import { useText } from "../../app/i18n.tsx";
import { Fetched } from "../../ui/display/fetched.tsx";
import { ApiTokensRow } from "../profile/api_tokens_row.tsx";
import { LinkedProviders } from "../profile/linked_providers.tsx";
import { PasswordDialog } from "../profile/password_dialog.tsx";
import { factorsQuery } from "../profile/profile_queries.ts";
import { ProfileRow, ProfileSection } from "../profile/profile_section.tsx";
import { useProvidersOnly } from "../sign_in/providers_only.tsx";
import { AuthenticatorRow } from "./authenticator_row.tsx";
import { passkeysSupported } from "./passkey.ts";
import { PasskeysRow } from "./passkeys_row.tsx";
import { RecoveryRow } from "./recovery_row.tsx";
import classes from "./security.module.css";
import { useSetUp } from "./set_up_dialogs.tsx";

/** The sign-in settings: password and second factors. */
export function Security() {
  const text = useText();
  const query = useQuery(factorsQuery);
  return (
    <ProfileSection id="security" title={text("security.title")} lead={text("security.lead")}>
      <Fetched query={query} failureTitle={text("profile.load_failed")} height={360}>
        {(factors) => <Ways factors={factors} />}
      </Fetched>
    </ProfileSection>
  );
}

function Ways({ factors }: { factors: Factors }) {
  const { authenticator, passkeys, recoveryCodes, mailboxLeaked } = factors;
  const { setUpApp, appPending, addPasskey, dialogs } = useSetUp();
  const isOnly = useProvidersOnly();
  const isStrong = authenticator !== null || passkeys.length > 0;
  return (
    <>
      {mailboxLeaked && !isStrong && (
        <Proposal onApp={setUpApp} appPending={appPending} onPasskey={passkeysSupported() ? addPasskey : undefined} />
      )}
      {!isOnly && <PasswordRow />}
      <AuthenticatorRow since={authenticator?.since} onSetUp={setUpApp} pending={appPending} />
      <PasskeysRow passkeys={passkeys} onAdd={addPasskey} />
      <RecoveryRow left={isStrong ? recoveryCodes : undefined} />
      <LinkedProviders />
      <ApiTokensRow />
      {dialogs}
    </>
  );
}

type ProposalProps = { onApp: () => void; appPending: boolean; onPasskey: (() => void) | undefined };

/** Proposes a stronger second factor than codes by email, which others may read. */
function Proposal({ onApp, appPending, onPasskey }: ProposalProps) {
  const text = useText();
  return (
    <div className={classes.proposal}>
      <IconShieldLock size={26} stroke={1.75} aria-hidden="true" />
      <div>
        <h3>{text("security.proposal_title")}</h3>
        <p>{text("security.proposal")}</p>
        <div className={classes.buttons}>
          <Button onClick={onApp} loading={appPending}>
            {text("app.set_up")}
          </Button>
          {onPasskey && (
            <Button variant="default" onClick={onPasskey}>
              {text("passkeys.add")}
            </Button>
          )}
        </div>
      </div>
    </div>
  );
}

function PasswordRow() {
  const text = useText();
  const [opened, setOpened] = useState(false);
  return (
    <>
      <ProfileRow
        icon={IconKey}
        title={text("security.password")}
        action={
          <Button variant="default" onClick={() => setOpened(true)}>
            {text("security.password_change")}
          </Button>
        }
      >
        {text("security.password_hint")}
      </ProfileRow>
      <PasswordDialog opened={opened} onClose={() => setOpened(false)} />
    </>
  );
}
