import { Anchor } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { shownAddress } from "../../../src/shared/shown_address.ts";
import { post } from "../../api/call.ts";
import { instanceQuery } from "../../api/queries.ts";
import { onFirstInteraction } from "../../app/first_interaction.ts";
import { useErrorText, useText } from "../../app/i18n.tsx";
import { useServerForm } from "../../forms/forms.ts";
import { LinkText } from "../../ui/display/links.tsx";
import { LoginFields } from "./login_fields.tsx";
import { ProviderButtons } from "./provider_buttons.tsx";
import { ByProviders, useProvidersOnly } from "./providers_only.tsx";
import classes from "./sign_in_card.module.css";
import { SignInCard } from "./sign_in_card.tsx";
import type { TypedEmail } from "./typed_email.ts";

/** Loaded after the first interaction, to keep the first page small; until then only the server validates. */
let inputs: typeof import("../../../src/identity/inputs.ts") | undefined;

async function fetchInputs(): Promise<void> {
  inputs ??= await import("../../../src/identity/inputs.ts");
}

export default function Login() {
  const text = useText();
  const isOnly = useProvidersOnly();
  return isOnly ? <ByProviders title={text("login.title")} lead={text("login.only_lead")} /> : <PasswordLogin />;
}

function PasswordLogin() {
  const { lang } = useParams();
  const navigate = useNavigate();
  const text = useText();
  const typed = useLocation().state as TypedEmail | null;
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: { email: shownAddress(typed?.email ?? ""), password: "" },
    validate: (values) => (inputs ? schemaResolver(inputs.loginInput, { sync: true })(values) : {}),
    send: (body) => post("/api/login", { body }),
    failureTitle: "login.failed",
    onSuccess: ({ email, methods }) => {
      if (methods.includes("email")) toast.success(text("login.code_sent", { email }));
      navigate(`/${lang}/verify-code`);
    },
  });
  useEffect(() => onFirstInteraction(() => fetchInputs().catch(() => undefined)), []);
  return (
    <SignInCard
      title={text("login.title")}
      lead={text("login.lead")}
      formRef={element}
      onSubmit={submit}
      action="/api/login"
      after={
        <>
          <ProviderButtons />
          <Refusal />
        </>
      }
      below={<ToRegistration />}
    >
      <LoginFields field={field} pending={pending} isKnown={Boolean(typed?.email)}>
        <Anchor
          component={Link}
          to="../forgot-password"
          state={{ email: form.values.email } satisfies TypedEmail}
          size="sm"
          className={classes.forgot}
        >
          {text("login.forgot")}
        </Anchor>
      </LoginFields>
    </SignInCard>
  );
}

/** A refused login before the app is there: shown by `prehydration.ts`, like the app's dialog. */
function Refusal() {
  const text = useText();
  const errorText = useErrorText();
  return (
    <dialog className={classes.refused} aria-labelledby="refused">
      <h2 id="refused">{text("login.failed")}</h2>
      <p>{errorText("CREDENTIALS_INVALID")}</p>
      <button type="button">{text("close")}</button>
    </dialog>
  );
}

function ToRegistration() {
  const text = useText();
  const mode = useQuery(instanceQuery).data?.registration.mode ?? "open";
  if (mode !== "open") return text(mode === "invite" ? "login.invite_only" : "login.closed");
  return <LinkText id="login.no_account" to="../register" fw={600} />;
}
