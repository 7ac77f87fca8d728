import { Button, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { forgotPasswordInput } from "../../../src/identity/inputs.ts";
import { shownAddress } from "../../../src/shared/shown_address.ts";
import { post } from "../../api/call.ts";
import { Text, useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { Address } from "../../ui/display/address.tsx";
import { BackToLogin } from "./back_to_login.tsx";
import { MailboxLink } from "./mailbox_link.tsx";
import { NoPasswords, useProvidersOnly } from "./providers_only.tsx";
import classes from "./sign_in_card.module.css";
import { EntranceCard, SignInCard } from "./sign_in_card.tsx";
import type { TypedEmail } from "./typed_email.ts";

export default function ForgotPassword() {
  return useProvidersOnly() ? <NoPasswords title="forgot.title" /> : <Forgot />;
}

function Forgot() {
  const typed = useLocation().state as TypedEmail | null;
  const [email, setEmail] = useState(shownAddress(typed?.email ?? ""));
  const [sentTo, setSentTo] = useState<string>();
  useHeadingFocus(sentTo !== undefined);
  if (sentTo === undefined) return <Ask email={email} onSent={setSentTo} />;
  return (
    <Sent
      email={sentTo}
      onAgain={() => {
        setEmail("");
        setSentTo(undefined);
      }}
    />
  );
}

/** Focuses the heading when the confirmation replaces the form. */
function useHeadingFocus(sent: boolean) {
  const before = useRef(sent);
  useEffect(() => {
    if (sent !== before.current) document.querySelector("h1")?.focus();
    before.current = sent;
  }, [sent]);
}

function Ask({ email, onSent }: { email: string; onSent: (email: string) => void }) {
  const text = useText();
  const { element, field, submit, pending } = useServerForm({
    initialValues: { email },
    validate: schemaResolver(forgotPasswordInput, { sync: true }),
    send: (body) => post("/api/forgot-password", { body }),
    failureTitle: "forgot.failed",
    onSuccess: (answer) => onSent(answer.email),
  });
  return (
    <SignInCard
      title={text("forgot.title")}
      lead={text("forgot.lead")}
      formRef={element}
      onSubmit={submit}
      below={<BackToLogin />}
    >
      <TextInput label={text("field.email")} type="email" autoComplete="username" size="md" {...field("email")} />
      <Button type="submit" size="md" loading={pending}>
        {text("forgot.submit")}
      </Button>
    </SignInCard>
  );
}

function Sent({ email, onAgain }: { email: string; onAgain: () => void }) {
  const text = useText();
  return (
    <EntranceCard
      title={text("forgot.sent_title")}
      lead={
        <Text
          id="forgot.sent"
          values={{
            email: (
              <strong key="email">
                <Address>{email}</Address>
              </strong>
            ),
          }}
        />
      }
      below={<BackToLogin />}
    >
      <div className={classes.form}>
        <p className={classes.hint}>{text("forgot.hint")}</p>
        <MailboxLink />
        <Button variant="default" size="md" onClick={onAgain}>
          {text("forgot.again")}
        </Button>
      </div>
    </EntranceCard>
  );
}
