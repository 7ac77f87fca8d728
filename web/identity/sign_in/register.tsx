import { Button, Checkbox, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { IconLinkOff, IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useLocation, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { registerInput } from "../../../src/identity/inputs.ts";
import type { Language } from "../../../src/shared/language.ts";
import { shownAddress } from "../../../src/shared/shown_address.ts";
import { TERMS, TERMS_PATHS } from "../../../src/shared/terms.ts";
import { isApiError, type Newcomer, type Registration } from "../../api/api.ts";
import { post } from "../../api/call.ts";
import { instanceQuery } from "../../api/queries.ts";
import { Text, useErrorText, useLanguage, useText } from "../../app/i18n.tsx";
import { useLinkToken } from "../../app/link_token.ts";
import { type Field, useServerForm } from "../../forms/forms.ts";
import { EmptyState } from "../../ui/display/empty_state.tsx";
import { LinkText, NewTab } from "../../ui/display/links.tsx";
import { PasswordField } from "../../ui/form/password_field.tsx";
import { LanguageAndCompany, NameFields } from "../person_fields.tsx";
import { PasswordChecklist } from "./password_checklist.tsx";
import { ByProviders } from "./providers_only.tsx";
import classes from "./sign_in_card.module.css";
import { EntranceCard, SignInCard } from "./sign_in_card.tsx";
import type { TypedEmail } from "./typed_email.ts";
import { type FromProvider, WhyHere } from "./why_here.tsx";

type Values = Omit<Registration, "terms" | "termsVersion"> & { terms: boolean };

function startingWith(known: Newcomer, language: Language): Values {
  return { ...known, companyName: "", password: "", confirmPassword: "", language, terms: false };
}

const NOBODY: Newcomer = { firstName: "", lastName: "", email: "" };

export default function Register() {
  const token = useLinkToken();
  const { data: instance } = useQuery(instanceQuery);
  const link = useQuery({
    queryKey: ["/api/register/inspect", token],
    queryFn: () => post("/api/register/inspect", { body: { invitation: token ?? "" } }),
    enabled: token !== undefined,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const mode = instance?.registration.mode ?? "open";
  if (isApiError(link.error) && link.error.code === "REGISTRATION_LINK_INVALID")
    return <NotAdmitted why="link_invalid" />;
  if (token === undefined && mode !== "open") return <NotAdmitted why={mode === "invite" ? "invite_only" : "closed"} />;
  const admitted = { token, invited: link.data?.email ?? undefined, isFirst: link.data?.staff ?? false };
  return instance?.providersOnly ? <FirstLogin {...admitted} /> : <RegistrationForm {...admitted} />;
}

/** Where providers are the only way to log in, the first login creates the account. */
function FirstLogin({ token, invited, isFirst }: FormProps) {
  const text = useText();
  const created = invited ? text("register.only_invited", { email: shownAddress(invited) }) : text("register.only_new");
  const lead = isFirst ? text("register.first") : created;
  return <ByProviders title={text("register.title")} lead={lead} invitation={token} below={<ToLogin />} />;
}

type FormProps = { token: string | undefined; invited: string | undefined; isFirst: boolean };

function useRegistration({ token, invited }: Omit<FormProps, "isFirst">, from: FromProvider | null) {
  const { lang } = useParams();
  const navigate = useNavigate();
  const text = useText();
  const language = useLanguage();
  const registration = useServerForm({
    initialValues: startingWith(from?.profile ?? NOBODY, language),
    validate: schemaResolver(registerInput, { sync: true }),
    // Validation has ensured that the terms are accepted.
    send: (values) =>
      post("/api/register", {
        body: { ...values, terms: true, termsVersion: TERMS.version, ...(token && { invitation: token }) },
      }),
    failureTitle: "register.failed",
    onSuccess: ({ email }) => {
      toast.success(text("register.done", { email }));
      navigate(`/${lang}/login`, { state: { email } satisfies TypedEmail });
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, when the link has been read
  useEffect(() => {
    if (invited !== undefined) registration.form.setFieldValue("email", shownAddress(invited));
  }, [invited]);
  const { setFieldValue, isTouched } = registration.form;
  const before = useRef(language);
  useEffect(() => {
    if (language === before.current) return;
    before.current = language;
    // The preferred language is the page's, unless it was chosen.
    if (!isTouched("language")) setFieldValue("language", language);
  }, [language, isTouched, setFieldValue]);
  return registration;
}

function RegistrationForm(props: FormProps) {
  const text = useText();
  const from = useLocation().state as FromProvider | null;
  const { data: instance } = useQuery(instanceQuery);
  const { form, element, field, submit, pending } = useRegistration(props, from);
  const trial = instance?.billing === "off" ? undefined : text("register.lead");
  const domains = props.token === undefined ? (instance?.registration.domains ?? []) : [];
  return (
    <SignInCard
      title={text("register.title")}
      lead={props.isFirst ? text("register.first") : from ? <WhyHere {...from} /> : trial}
      formRef={element}
      onSubmit={submit}
      below={<ToLogin />}
    >
      <div className={classes.pair}>
        <NameFields field={field} />
      </div>
      <TextInput
        label={text("field.email")}
        type="email"
        autoComplete="username"
        readOnly={props.invited !== undefined}
        description={domains.length > 0 && text("register.domains", { domains: domains.join(", ") })}
        {...field("email")}
      />
      <PasswordFields field={field} password={form.values.password} />
      <div className={classes.pair}>
        <LanguageAndCompany field={field} />
      </div>
      <TermsBox field={field} />
      <Button type="submit" size="md" loading={pending}>
        {text("register.submit")}
      </Button>
    </SignInCard>
  );
}

/** Says who may create an account here, and whom to ask. */
function NotAdmitted({ why }: { why: "closed" | "invite_only" | "link_invalid" }) {
  const text = useText();
  const errorText = useErrorText();
  const email = useQuery(instanceQuery).data?.operator.supportEmail ?? "";
  return (
    <EntranceCard title={text("register.title")} below={<ToLogin />}>
      <EmptyState order={2} icon={why === "link_invalid" ? IconLinkOff : IconLock} title={text(`register.${why}`)}>
        {why === "link_invalid" ? errorText("REGISTRATION_LINK_INVALID") : text(`register.${why}_text`, { email })}
      </EmptyState>
    </EntranceCard>
  );
}

type Fields = { field: Field };

function PasswordFields({ field, password }: Fields & { password: string }) {
  const text = useText();
  return (
    <>
      <div>
        <PasswordField
          label={text("field.password")}
          autoComplete="new-password"
          aria-details="password-rules"
          {...field("password")}
        />
        <PasswordChecklist id="password-rules" password={password} />
      </div>
      <PasswordField label={text("field.confirm_password")} autoComplete="new-password" {...field("confirmPassword")} />
    </>
  );
}

function TermsBox({ field }: Fields) {
  return (
    <Checkbox
      label={
        <Text
          id="register.terms"
          values={{
            link: (parts) => (
              <NewTab page={TERMS_PATHS.terms} inherit>
                {parts}
              </NewTab>
            ),
            privacy: (parts) => (
              <NewTab page={TERMS_PATHS.privacy} inherit>
                {parts}
              </NewTab>
            ),
          }}
        />
      }
      {...field("terms", "checkbox")}
    />
  );
}

function ToLogin() {
  return <LinkText id="register.have_account" to="../login" fw={600} />;
}
