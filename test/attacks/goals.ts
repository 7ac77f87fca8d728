import { foreignIds, routeMatrix } from "./authorisation.ts";
import { endedRights } from "./former_proofs.ts";
import { foreignFields, fuzz } from "./fuzz.ts";
import type { Goal } from "./goal.ts";
import { everyAnswer } from "./headers.ts";
import { badBodies, otherSites, reading } from "./http.ts";
import { leftBehind } from "./left_behind.ts";
import { longTexts } from "./lengths.ts";
import { expiredTokens, forgedHosts, resetLinks } from "./links.ts";
import { localOnly } from "./local_only.ts";
import { stillReader } from "./log_reader.ts";
import { foreignContacts, forgedEvents, injectedHeaders, oneRecipient } from "./mails.ts";
import { openedLinks } from "./opened_links.ts";
import { violations } from "./policy.ts";
import { oneAnswer, oneEmail, planCap, withdrawn } from "./races.ts";
import { openedAddresses, openRedirects } from "./redirects.ts";
import { returningAskers } from "./returning.ts";
import { rightPasswords } from "./right_passwords.ts";
import { scanners } from "./scanners.ts";
import { endedSessions, fixation, freshPassword, restingSecrets } from "./sessions.ts";
import {
  codes,
  enumeration,
  guessedCodes,
  locks,
  passwordLengths,
  spoofedAddresses,
  storedPasswords,
} from "./sign_in.ts";
import { slowConnections } from "./slow.ts";
import { markupInMails } from "./stored_text.ts";
import { signInTimes } from "./timing.ts";
import { tokenFindings } from "./token_findings.ts";
import { unaskedMail } from "./unasked_mail.ts";

/** S1 to S54: the security goals, each with its attacks. S18, S19, S38 and S39 do not exist. */
export const GOALS: Goal[] = [
  { goal: "S1", attack: storedPasswords, alone: true, tests: ["identity/password_hasher_test.ts"] },
  { goal: "S2", attack: passwordLengths, tests: ["identity/inputs_test.ts", "identity/password_test.ts"] },
  { goal: "S3", attack: codes },
  { goal: "S4", attack: guessedCodes },
  { goal: "S5", attack: locks, tests: ["identity/locks_test.ts"] },
  { goal: "S6", attack: spoofedAddresses, tests: ["http/client_ip_test.ts"] },
  { goal: "S7", attack: enumeration, longAttack: signInTimes, tests: ["identity/no_enumeration_test.ts"] },
  { goal: "S8", attack: restingSecrets, alone: true, tests: ["e2e/log_secrets_test.ts"] },
  { goal: "S9", attack: fixation },
  { goal: "S10", attack: everyAnswer, alone: true },
  { goal: "S11", attack: endedSessions },
  { goal: "S12", attack: resetLinks },
  { goal: "S13", attack: expiredTokens },
  { goal: "S14", attack: forgedHosts },
  { goal: "S15", attack: reading, alone: true, longAttack: openedLinks },
  { goal: "S16", attack: freshPassword, tests: ["tracking/contacts_test.ts"] },
  {
    goal: "S17",
    tests: [
      ...["e2e/provider_test.ts", "identity/provider_sign_in_test.ts", "identity/oidc_trouble_test.ts"],
      ...["identity/oidc_provider_test.ts", "identity/logout_token_test.ts"],
    ],
  },
  {
    goal: "S20",
    attack: routeMatrix,
    tests: ["security/route_guards_test.ts", "http/token_matrix_test.ts", "http/staff_test.ts"],
  },
  { goal: "S21", attack: foreignIds },
  { goal: "S22", attack: withdrawn, tests: ["notifications/consent_delivery_test.ts"] },
  { goal: "S23", attack: planCap },
  { goal: "S24", attack: oneEmail, alone: true },
  { goal: "S25", attack: oneAnswer },
  {
    goal: "S26",
    tests: [
      ...["consent/histories_test.ts", "consent/two_processes_test.ts"],
      ...["invitations/histories_test.ts", "invitations/two_processes_test.ts", "identity/session_histories_test.ts"],
    ],
    // A few hundred of those on Postgres. Subscriptions belong to S45.
    long: { HISTORIES: "10000" },
  },
  { goal: "S27", attack: foreignFields },
  { goal: "S28", attack: foreignContacts, tests: ["bad_contacts_test.ts", "invitations/limits_test.ts"] },
  { goal: "S29", tests: ["consent/matrix_test.ts", "contracts/breach_store_scope_test.ts"] },
  {
    goal: "S30",
    longAttack: violations,
    tests: ["http/security_test.ts", "http/policy_reports_test.ts", "security/policy_evaluator_test.ts"],
  },
  { goal: "S31", tests: ["http/security_test.ts", "http/pages_test.ts", "identity/http_test.ts"] },
  { goal: "S32", attack: otherSites, alone: true, tests: ["http/security_test.ts"] },
  {
    goal: "S33",
    attack: markupInMails,
    tests: ["breaches/description_test.ts", "web/breach_parts_test.ts", "notifications/telegram_text_test.ts"],
  },
  { goal: "S34", attack: openRedirects, longAttack: openedAddresses },
  { goal: "S35", attack: badBodies, tests: ["security/smuggling_test.ts"] },
  { goal: "S36", attack: slowConnections, alone: true },
  { goal: "S37", attack: fuzz, longAttack: scanners },
  { goal: "S40", tests: ["notifications/webhook_test.ts", "contracts/sender_faults_test.ts", "security/gaps_test.ts"] },
  { goal: "S41", tests: ["breaches/hibp_test.ts"] },
  { goal: "S42", attack: oneRecipient, tests: ["notifications/email_test.ts"] },
  { goal: "S43", attack: injectedHeaders, tests: ["notifications/email_test.ts"] },
  { goal: "S44", attack: forgedEvents, tests: ["billing/webhooks_test.ts", "contracts/payment_gateway_test.ts"] },
  {
    goal: "S45",
    tests: ["billing/event_order_test.ts", "billing/parallel_test.ts", "billing/orders_test.ts"],
    long: { HISTORIES: "500" },
  },
  {
    goal: "S46",
    attack: endedRights,
    tests: ["consent/former_address_test.ts", "consent/histories_test.ts", "invitations/links_test.ts"],
  },
  { goal: "S47", attack: returningAskers, tests: ["invitations/returning_asker_test.ts", "billing/trial_test.ts"] },
  {
    goal: "S48",
    attack: unaskedMail,
    tests: ["unsolicited_mail_flow_test.ts", "contracts/stranger_mail_test.ts", "identity/stranger_mail_test.ts"],
  },
  {
    goal: "S49",
    attack: rightPasswords,
    alone: true,
    tests: ["identity/right_passwords_test.ts", "contracts/attempts_store_test.ts"],
  },
  {
    goal: "S50",
    attack: longTexts,
    alone: true,
    tests: [
      ...["security/input_lengths_test.ts", "http/list_bounds_test.ts", "http/staff_lists_test.ts"],
      ...["notifications/contacts_test.ts", "notifications/bounce_mail_test.ts", "tracking/contact_room_test.ts"],
      "database/idle_scale_test.ts",
    ],
  },
  {
    goal: "S51",
    attack: localOnly,
    tests: [
      ...["http/local_test.ts", "http/host_test.ts", "http/client_ip_test.ts", "http/maintenance_test.ts"],
      ...["security/reading_test.ts", "database/private_directory_test.ts", "outbound/public_address_test.ts"],
    ],
  },
  {
    goal: "S52",
    attack: stillReader,
    tests: ["log_output_test.ts", "e2e/log_reader_test.ts", "telemetry/watchdog_test.ts"],
  },
  { goal: "S53", attack: tokenFindings, tests: ["http/token_findings_test.ts", "http/token_matrix_test.ts"] },
  {
    goal: "S54",
    attack: leftBehind,
    tests: [
      ...["personal/columns_test.ts", "personal/marks_test.ts", "personal/third_persons_test.ts"],
      ...["export_flow_test.ts", "deletion_flow_test.ts"],
    ],
  },
];
