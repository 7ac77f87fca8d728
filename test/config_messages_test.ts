import { describe, expect, test } from "bun:test";
import { loadConfig, settingsSchema } from "../src/config/config.ts";

const NAMES = Object.keys(settingsSchema.entries);
/** What people have typed, pasted or left behind, in no setting's form or in another one's. */
const WRONG = [
  ...[
    "x",
    "0",
    "-1",
    "1.5",
    "99999999999999999999",
    "true",
    "yes",
    "undefined",
    "null",
    "[]",
    "{}",
    "é",
    "%",
    "%zz",
    "a b",
    "a,b",
    ",",
    "=",
    "a=%",
  ],
  ...[
    "://",
    "http:",
    "http://",
    "https://[",
    "https://a b",
    "postgres:",
    "postgres://",
    "postgres://u:p%@db/b",
    "smtp://",
    "smtp://u:p@",
  ],
  ...[
    "smtp://u:p%@mail.example",
    "file:///etc/passwd",
    "/etc/passwd",
    "@",
    "a@",
    "<a@b.example",
    "127.0.0.1/99",
    "03:99",
    "7,",
    "\u0000",
    "x\ny",
  ],
];
/** With these, a wrong value of another setting is not hidden by a missing one. */
const COMPANIONS = {
  MAIL_FROM: "alerts@breachbell.example",
  OTEL_EXPORTER_OTLP_ENDPOINT: "https://traces.example",
  NTFY_BASE_URL: "https://ntfy.example",
};
/** A beginning without its end, or a word of the machine instead of a reason. */
const UNFINISHED =
  /(?:\bmust be|\bundefined|\bnull|\bNaN|\[object Object\]|:|\bE[A-Z]{4,}|Error)$|\bInvalid (?:type|URL)\b|URI (?:error|malformed)/;

function problemsOf(environment: Record<string, string>): string[] {
  const loaded = loadConfig(environment, () => {
    throw new Error("ENOENT");
  });
  return loaded.ok ? [] : loaded.problems;
}

describe("What is wrong with a setting", () => {
  test.each(NAMES)("%s: is said in a whole sentence that begins with a setting, or it is accepted", (name) => {
    for (const value of WRONG)
      for (const environment of [
        { [name]: value },
        { ...COMPANIONS, [name]: value },
        { NODE_ENV: "production", [name]: value },
      ])
        for (const problem of problemsOf(environment)) {
          expect(NAMES.some((known) => problem.startsWith(`${known} `))).toBe(true);
          expect(problem).not.toMatch(UNFINISHED);
        }
  });

  const torn = ["S3CRET%", "12/S3CRET", "12?S3CRET", "12#S3CRET", "S3CRET/", "S3CRET%zz"];
  test.each(torn)(
    "the password %s that is not percent-encoded is named, for a database and for mail, and not quoted",
    (password) => {
      for (const [name, url] of [
        ["DATABASE_URL", `postgres://user:${password}@db.example:5432/bell`],
        ["SMTP_URL", `smtp://user:${password}@mail.example:587`],
      ] as const) {
        const [problem, ...more] = problemsOf({ ...COMPANIONS, [name]: url });
        expect(problem).toMatch(new RegExp(`^${name} .*percent-encode`));
        expect([problem, ...more].join()).not.toContain("S3CRET");
      }
    },
  );

  test("NAME_FILE without a file says so", () => {
    const problems = problemsOf({ DATABASE_URL_FILE: "/nowhere" });
    expect(problems).toEqual(["DATABASE_URL_FILE must be the path of a file that can be read"]);
  });
});
