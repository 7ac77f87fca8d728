import { describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LANGUAGES, type Language } from "../src/shared/language.ts";

const ROOT = join(import.meta.dirname, "..");

type Avoided = [words: RegExp, instead: string];

/** Variants of a term, and the one word that each language uses for it. */
const AVOIDED: Record<Language, Avoided[]> = {
  en: [
    [/\bseriousness\b/i, "severity"],
    [/\bfree days\b/i, "free trial"],
    [/\bsign(?:ed|s|ing)?[ -](?:in|out|up)\b/i, "log in, log out, login"],
    [/\btwo-step (?:sign|log)/i, "two-step verification"],
    [/\bwatch(?:e[ds]|ing)?\b/i, "track (an address), check (for data breaches)"],
    [/\bmonitor(?:ed|s)?\b/i, "track (an address), check (for data breaches)"],
    [/\bdigest\b(?!s)/i, "daily message"],
    [/\b(?:some|any|every)body\b/i, "someone, anyone, everyone"],
    [/\bby itself\b|\bby themselves\b/i, "automatically"],
    [/\bwhoever\b/i, "anyone who"],
    [/\banew\b/i, "again"],
    [/\bfraudulent\b/i, "scam"],
    [/\bleaked\b(?!\.)/i, "stolen"],
    [/\bfine print\b|\bnotice of privacy\b|\bprivacy policy\b/i, "privacy notice"],
    [/^It was not you\?|\bwasn’t it you\b/i, "If this wasn’t you, …"],
  ],
  de: [
    [/Datenschutzhinweis/, "Datenschutzerklärung"],
    [/kostenlose[nr]? Tage/, "kostenlose Testphase"],
    [/\bPläne\b/, "Tarife"],
    [/Passschlüssel/, "Passkey"],
    [/\bDashboard\b/, "Übersicht"],
    [/\bDatenpanne|\bDatenverletzung/, "Datenleck"],
    [/\bLecks?\b/, "Datenleck"],
    [/Erlaubnis|\bIhrer? Zustimmung\b/, "Einwilligung"],
    [/\bAbonnement/, "Tarif"],
    [/\bPersonal\b/, "Mitarbeitende; the plan: Privat"],
    [/Übung/, "Probealarm"],
    [/\bheikl/i, "sensibel"],
    [/\bRückmeldung/, "Feedback"],
    [/\bGespräch\b/, "Unterhaltung"],
    [/in zwei Schritten/, "Zwei-Faktor-Authentifizierung"],
    [/\bschlimmer/i, "ernster"],
    [/\bvon selbst\b/, "automatisch"],
    [/\bauf der Übersicht\b/i, "in der Übersicht"],
    [/\bDienststatus/, "Systemstatus"],
  ],
  fr: [
    [/notice de confidentialité/i, "politique de confidentialité"],
    [/jours gratuits/i, "essai gratuit"],
    [/heures de silence/i, "heures calmes"],
    [/\bforfait|\b(?:votre|un) abonnement|\bl’abonnement/i, "formule"],
    [/\bviolation de données|\bbrèche/i, "fuite de données"],
    [/clé de passe/i, "clé d’accès"],
    [/surveill/i, "suivre (une adresse), vérifier (si elle apparaît dans une fuite)"],
    [/\bcontrôl(?:er|ée?s?)(?!\p{L})|\b(?:premier|dernier|prochain) contrôle/iu, "vérifier, vérification"],
    [/connexion en deux étapes/i, "double authentification"],
    [/\breli(?:ée?s?|ez)(?!\p{L})/iu, "connecter"],
    [/n’est (?:pas|plus) valable/i, "n’est pas valide"],
    [/\bnouvel e-mail\b|\bvotre e-mail\b/i, "adresse e-mail"],
    [/\baussitôt\b|\bd’elle-même\b|\bde lui-même\b/i, "immédiatement, automatiquement"],
    [/\bvous exposer\b|\bn(?:’est|e sont) pas de vous\b/i, "dévoiler votre vie privée, que vous n’avez pas effectué"],
    [/\b(?:du|notre) personnel\b/i, "équipe"],
  ],
  it: [
    [/giorni gratuiti/i, "prova gratuita"],
    [/fug[ah]e? di dati/i, "violazione di dati"],
    [/chiav[ei] di accesso/i, "passkey"],
    [/\bbacheca\b|\bcruscotto\b|\bpannello\b/i, "dashboard"],
    [/sorvegli/i, "monitorare (un indirizzo), controllare"],
    [/\bpermess[oi]\b(?! di)|\britir(?:are|ato|i) il/i, "consenso, revocare"],
    [/\bcondizioni\b(?! di)/i, "termini di servizio"],
    [/delicat[ae]/i, "violazioni sensibili"],
    [/\be-mail\b/i, "email"],
    [/^Impossibile\b/, "Non è stato possibile"],
    [/(?:non )?è stato Lei\?/i, "Se non riconosce questa operazione, …"],
    [/\b(?:il|dal|al|del) \{\w*(?:date|since|until|from|at)\b/i, "in data {date}, or a noun and a colon"],
  ],
  es: [
    [/claves? de acceso/i, "llave de acceso"],
    [/días gratuitos/i, "prueba gratuita"],
    [/violaci(?:ón|ones) de|\bbrecha|\bfuga de datos/i, "filtración de datos"],
    [/\btablero\b|\bdashboard\b/i, "panel"],
    [/términos y condiciones|términos de servicio/i, "condiciones del servicio"],
    [/\bpermisos? (?:concedid|retirad|para vigilar)|(?:retirar|cambiar) (?:el|su) permiso/i, "consentimiento"],
    [/\bdelicad[ao]s?\b/i, "filtración sensible"],
    [/\batendidas?\b/i, "gestionada"],
    [/programas? maliciosos?/i, "software malicioso"],
    [/carteras? de criptomonedas|monederos? físicos?/i, "monedero de criptomonedas, de hardware"],
    [/inicio de sesión en dos pasos/i, "verificación en dos pasos"],
    [/\b(?:6|seis) cifras\b/i, "6 dígitos"],
    [/\bsoporte\b/i, "asistencia"],
    [/\bdel personal\b/i, "equipo"],
    [/bajo vigilancia|vigile su dirección|\bponerle fin\b/i, "comprobar (una dirección), retirar"],
    [/\b(?:le|les) esperan?\b|\blo que le espera\b/i, "pendiente"],
    [/\bbusque (?:empleos|préstamos|contratos|prestaciones)/i, "compruebe si figuran …"],
    [/\bno se pud(?:o|ieron)\b/i, "no se ha podido"],
    [/\bperíodo/i, "periodo"],
  ],
  pt: [
    [/violaç(?:ão|ões)/i, "fuga de dados"],
    [/dias gratuitos/i, "período experimental gratuito"],
    [/\bsenhas?\b/i, "palavra-passe"],
    [/\bvocê\b|\bcelular\b|\btela\b/i, "o senhor (implícito), telemóvel, ecrã"],
    [/\bdashboard\b/i, "painel"],
    [/\bvigi(?:[aáelm]|lânc|lant)/i, "monitorizar (um endereço), verificar (em fugas de dados)"],
    [/\bnovamente\b/i, "de novo"],
    [/\bem linha\b/i, "online"],
    [/\bligaç(?:ão|ões)\b(?! à Internet)/i, "link (ligação: só à Internet)"],
    [/\balgarismos?\b/i, "dígito"],
    [/\bpendentes?\b/i, "por tratar"],
    [/\bcarateres\b/i, "caracteres"],
    [/\b[Ss]ítios?\b/, "site"],
    [/\bdetalhes?\b/i, "pormenores"],
    [/\bpesquisáve(?:l|is) publicamente/i, "de consulta pública"],
    [/\bpôr-lhe fim\b|\bpermissão para\b/i, "retirar a autorização"],
  ],
};

/** The specification's own words, which stay as they are. */
const KEPT = ["errors TERMS_REQUIRED", "ui error_page.suspended", "ui error_page.unauthorised"];

function textsOf(language: Language): [name: string, text: string][] {
  const folder = join(ROOT, "locales", language);
  return readdirSync(folder).flatMap((file) => {
    const topic = file.replace(".json", "");
    const texts = JSON.parse(readFileSync(join(folder, file), "utf8")) as Record<string, string>;
    return Object.entries(texts).map(([key, text]): [string, string] => [`${topic} ${key}`, text]);
  });
}

/** A message as read: without the names of its parameters and options. */
function asRead(text: string): string {
  const withoutParameters = text.replaceAll(/\{\w+(?:, [^{}]*)?\}|\{\w+, (?:plural|select),/g, " ");
  return withoutParameters.replaceAll(/(?:=\d|\b\w+) \{/g, " ");
}

describe("One word for one thing", () => {
  test.each(LANGUAGES)("in %s", (language) => {
    const wrong = textsOf(language)
      .filter(([name]) => !KEPT.includes(name))
      .flatMap(([name, text]) =>
        AVOIDED[language]
          .filter(([words]) => words.test(asRead(text)))
          .map(([, instead]) => `${name}: ${text} (say: ${instead})`),
      );
    expect(wrong).toEqual([]);
  });

  test("an avoided word is found in a plural, but not as the name of a parameter", () => {
    expect(asRead("{n, plural, one {# seriousness} other {#}}")).toContain("seriousness");
    expect(asRead("Alerts about {watched}")).not.toContain("watched");
  });
});

/** Sentences that the specification gives word for word, with the texts that say them. */
const SPECIFIED: [name: string, text: string][] = [
  ["errors GENERIC", "There was an error on our side... Please try again later."],
  ["ui error_page.generic_text", "Something went wrong. Please try again later."],
  ["support support.unexpected", "An unexpected error occurred. Please try again later."],
  ["errors FIRST_NAME_REQUIRED", "First name is required."],
  ["errors LAST_NAME_REQUIRED", "Last name is required."],
  ["errors EMAIL_REQUIRED", "Email is required."],
  ["errors PASSWORD_REQUIRED", "Password is required."],
  ["errors PASSWORD_CONFIRMATION_REQUIRED", "Password confirmation is required."],
  ["errors LANGUAGE_REQUIRED", "Preferred language is required."],
  ["errors TERMS_REQUIRED", "You must accept the Terms and Conditions."],
  ["errors EMAIL_INVALID", "Please enter a valid email."],
  ["errors EMAIL_TAKEN", "A user with this email already exists."],
  ["errors PASSWORD_TOO_COMMON", "This password is too common."],
  ["errors PASSWORD_TOO_SHORT", "This password is too short. It must be at least 8 characters."],
  ["errors PASSWORDS_DIFFER", "The passwords do not match."],
  ["errors CREDENTIALS_INVALID", "Invalid email or password."],
  ["errors LOCKED", "For your security, we have temporarily locked login. Please try again in 1 hour."],
  ["errors CODE_INVALID", "Invalid or expired code."],
  [
    "errors RESET_LINK_INVALID",
    "The reset link is invalid or has already been used. Please request a new password reset.",
  ],
  ["errors INVITATION_INVALID", "Invalid token or invitation already processed."],
  ["errors ADDRESS_REQUIRED", "Email address is required."],
  ["errors ADDRESS_ALREADY_TRACKED", "There is already an association for this email address."],
  ["errors METHOD_REQUIRED", "Select at least one notification method"],
  ["errors EMAIL_CONTACT_REQUIRED", "Add at least one email address."],
  ["errors TELEGRAM_CONTACT_REQUIRED", "Add at least one Telegram contact."],
  ["errors PUSHOVER_CONTACT_REQUIRED", "Add at least one Pushover contact."],
  ["errors SESSION_EXPIRED", "Session expired. Please log in again."],
  ["ui session.expired", "Session expired. Please log in again."],
  ["profile edit.failed", "Unable to save changes – please check the highlighted fields."],
  ["alerts alerts.sure", "Are you sure?"],
  ["monitoring monitor.unmanaged", "Unmanaged"],
  ["ui track.owner", "I own this email address"],
  ["ui dashboard.tracked", "Tracked Emails"],
  ["tracking grants.title", "Granted Permissions"],
  ["tracking sent.title", "Sent Invitations"],
  ["tracking requests.title", "Access Requests"],
  ["ui error_page.denied", "Access Denied"],
  ["ui nav.dashboard", "Dashboard"],
  ["ui nav.new_track", "Track New Email"],
  ["ui nav.alerts", "Alerts"],
  ["ui nav.test_alerts", "Test Alerts"],
  ["ui nav.subscription", "Purchase Subscription"],
  ["ui nav.profile", "View Profile"],
  ["ui nav.profile_edit", "Edit Profile"],
  ["ui nav.support", "Support"],
  ["ui nav.suggestions", "Suggestions"],
  ["ui nav.service_status", "Service Status"],
  ["ui nav.logout", "Logout"],
];

test("the specification's own words stay letter for letter in English", () => {
  const english = new Map(textsOf("en"));
  expect(SPECIFIED.map(([name]) => [name, english.get(name)])).toEqual(SPECIFIED);
});
