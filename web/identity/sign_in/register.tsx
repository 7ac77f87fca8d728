import { Anchor, Button, Checkbox, TextInput } from "@mantine/core";
import { schemaResolver } from "@mantine/form";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, useLocation, useNavigate, useParams } from "react-router";
import { toast } from "sonner";
import { registerInput } from "../../../src/identity/inputs.ts";
import type { Language } from "../../../src/shared/language.ts";
import { TERMS, TERMS_PATHS } from "../../../src/shared/terms.ts";
import { api, type Newcomer, type Registration } from "../../api/api.ts";
import { instanceQuery } from "../../api/queries.ts";
import { Text, useLanguage, useText } from "../../app/i18n.tsx";
import { type Field, useServerForm } from "../../forms/forms.ts";
import { PasswordField } from "../../ui/form/password_field.tsx";
import { LanguageAndCompany, NameFields } from "../person_fields.tsx";
import { PasswordChecklist } from "./password_checklist.tsx";
import classes from "./sign_in_card.module.css";
import { SignInCard } from "./sign_in_card.tsx";
import type { TypedEmail } from "./typed_email.ts";
import { type FromProvider, WhyHere } from "./why_here.tsx";

type Values = Omit<Registration, "terms" | "termsVersion"> & { terms: boolean };

function startingWith(known: Newcomer, language: Language): Values {
  return { ...known, companyName: "", password: "", confirmPassword: "", language, terms: false };
}

const NOBODY: Newcomer = { firstName: "", lastName: "", email: "" };

export default function Register() {
  const { lang } = useParams();
  const language = useLanguage();
  const navigate = useNavigate();
  const text = useText();
  const from = useLocation().state as FromProvider | null;
  const { data: instance } = useQuery(instanceQuery);
  const trial = instance?.billing === "off" ? undefined : text("register.lead");
  const { form, element, field, submit, pending } = useServerForm({
    initialValues: startingWith(from?.profile ?? NOBODY, language),
    validate: schemaResolver(registerInput, { sync: true }),
    // Validation has ensured that the terms are accepted.
    send: (values) => api.register({ ...values, terms: true, termsVersion: TERMS.version }),
    failureTitle: "register.failed",
    onSuccess: ({ email }) => {
      toast.success(text("register.done", { email }));
      navigate(`/${lang}/login`, { state: { email } satisfies TypedEmail });
    },
  });
  return (
    <SignInCard
      title={text("register.title")}
      lead={from ? <WhyHere {...from} /> : trial}
      formRef={element}
      onSubmit={submit}
      below={<ToLogin />}
    >
      <div className={classes.pair}>
        <NameFields field={field} />
      </div>
      <TextInput label={text("field.email")} type="email" autoComplete="username" {...field("email")} />
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
            link: (parts) => <FullText path={TERMS_PATHS.terms}>{parts}</FullText>,
            privacy: (parts) => <FullText path={TERMS_PATHS.privacy}>{parts}</FullText>,
          }}
        />
      }
      {...field("terms", "checkbox")}
    />
  );
}

function ToLogin() {
  const { lang } = useParams();
  return (
    <Text
      id="register.have_account"
      values={{
        link: (parts) => (
          <Anchor key="link" component={Link} to={`/${lang}/login`} fw={600} underline="always">
            {parts}
          </Anchor>
        ),
      }}
    />
  );
}

/** Opens in a new tab, so that the input is kept. */
function FullText({ path, children }: { path: string; children: ReactNode }) {
  const { lang } = useParams();
  return (
    <Anchor href={`/${lang}/${path}`} target="_blank" rel="noopener" inherit underline="always">
      {children}
    </Anchor>
  );
}
