import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Glob } from "bun";
import errors from "../../locales/en/errors.json";
import { LOGIN_ERRORS, REGISTRATION_ERRORS } from "../../src/shared/result.ts";

const ROOT = join(import.meta.dir, "../..");

/** What the login and the registration run, in the order of a request. */
const BEHIND = [
  "web/api/*.ts",
  "web/identity/sign_in/{login,login_fields,register,provider_buttons}.tsx",
  "src/http/{body,host,local,maintenance,request_pipeline,security,session}.ts",
  "src/identity/inputs.ts",
  "src/identity/account/{register,registration_gate,new_account,password}.ts",
  "src/identity/sign_in/{login,login_code,login_throttle,attempts}.ts",
  "src/shared/person_fields.ts",
];

/** Named there for other pages: of codes, links, passkeys, a new password and the profile. */
const ELSEWHERE = [
  ...["CODE_INVALID", "CODE_RESEND_TOO_SOON", "RESET_LINK_INVALID", "PASSWORD_UNCHANGED"],
  ...["PASSKEY_INVALID", "PASSKEY_NAME_REQUIRED", "REAUTHENTICATION_REQUIRED"],
];

test("the login and the registration have the text of every error that they can answer", () => {
  const files = BEHIND.flatMap((pattern) => {
    const found = [...new Glob(pattern).scanSync(ROOT)];
    expect(found).not.toBeEmpty();
    return found;
  });
  const words = files.flatMap((file) => readFileSync(join(ROOT, file), "utf8").match(/(?<=")[A-Z][A-Z_]+(?=")/g) ?? []);
  const named = [...new Set(words)].filter((word) => word in errors && !ELSEWHERE.includes(word));
  expect(named).toContain("CREDENTIALS_INVALID");
  expect(named.filter((code) => ![...LOGIN_ERRORS, ...REGISTRATION_ERRORS].some((known) => known === code))).toEqual(
    [],
  );
});

test("the login alone has the text of every error that its own code names", () => {
  const files = ["login", "login_throttle", "attempts"].map((name) => `src/identity/sign_in/${name}.ts`);
  const words = files.flatMap((file) => readFileSync(join(ROOT, file), "utf8").match(/(?<=")[A-Z][A-Z_]+(?=")/g) ?? []);
  const named = words.filter((word) => word in errors && !ELSEWHERE.includes(word));
  expect(named.filter((code) => !LOGIN_ERRORS.some((known) => known === code))).toEqual([]);
});
