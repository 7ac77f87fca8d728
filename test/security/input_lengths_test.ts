import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { Glob } from "bun";
import * as v from "valibot";
import { update } from "../../src/notifications/adapters/channels/telegram/telegram_model.ts";
import { telegramWebhook } from "../../src/notifications/adapters/http/telegram.ts";
import { contactValue } from "../../src/shared/contacts.ts";
import { normaliseEmail } from "../../src/shared/email_address.ts";
import { text } from "../../src/shared/text.ts";
import { normalised } from "../../src/shared/unicode.ts";
import { inputsOf, processing, textsOf } from "../support/input_schemas.ts";
import { memoryGround, signedUp, worldOn } from "../support/world.ts";

/** Longer than any body that is accepted. */
const LONG = 1024 * 1024 + 1;
/** Combining marks out of order: the slowest input for `normalize`. */
const marks = (length: number) => `a${"\u0315\u0300\u05ae\u0300".repeat(length / 4)}`.slice(0, length);
const over = marks(LONG);

const world = worldOn(memoryGround());
const ROUTES = inputsOf(world.app);

const files = [...new Glob("src/**/*inputs.ts").scanSync(".")].sort();
const exported = (
  await Promise.all(
    files.map(async (file) =>
      Object.entries((await import(`../../${file}`)) as Record<string, unknown>).flatMap(([name, value]) =>
        typeof value === "object" && value !== null && "~run" in value
          ? [{ route: `${file} ${name}`, schema: value as v.GenericSchema }]
          : [],
      ),
    ),
  )
).flat();

/** Updates are validated after their route has accepted them: unknown ones are accepted too. */
const READ_LATER = [{ route: "POST /api/telegram/webhook", schema: update as v.GenericSchema }];
const ALL = [...ROUTES, ...exported, ...READ_LATER];

/** Input that is read without a schema, and what limits its length. */
const RAW: Record<string, string> = {
  "src/http/pages.ts": "the headers alone, of which it compares a language and an encoding",
  "src/server/app.ts": "hands on the headers, which the server keeps below 16 KB",
  "src/http/doctor_route.ts": "compares two parameters of the query with what it made; a query is shorter than 16 KB",
  "src/http/body.ts": "reads a body within the limit of its route, which a schema then takes apart",
  "src/http/policy_reports.ts": "a body of 32 KB, each report by a schema that bounds its texts",
  "src/server/service_status.ts": "compares one parameter with the six languages",
  "src/notifications/adapters/http/bounces.ts": "a body of 1 MB, of which `readBounce` parses a part alone",
  "src/identity/adapters/http/providers.ts": "a body of 32 KB, whose one field a schema bounds",
  "src/billing/adapters/http/webhook.ts": "a body of 512 KB whose signature is checked first",
  "src/notifications/adapters/http/routes.ts": "a token of the path, which is hashed and looked up",
  "src/notifications/adapters/channels/inbox/mailbox.ts": "a name of the path, compared with those of files",
  "src/notifications/adapters/channels/inbox/mailbox_channels.ts":
    "names of 33, payloads of 64 and texts of 4096 characters, and numbers; in development alone",
  "src/billing/adapters/sandbox/sandbox_pages.ts": "ids of the path, looked up by name; in development alone",
};

describe("Every text from outside", () => {
  test("is validated by schemas that this test finds: those of all routes, and all exported ones", () => {
    expect(ROUTES.length).toBeGreaterThan(80);
    expect(exported.length).toBeGreaterThan(45);
    expect(ALL.flatMap(({ route, schema }) => textsOf(schema, route).leaves).length).toBeGreaterThan(250);
  });

  test("has a maximum length that is checked before anything else processes it; lists have one too", () => {
    expect(ALL.flatMap(({ route, schema }) => textsOf(schema, route).faults)).toEqual([]);
  });

  test("is rejected when over-long, or treated as empty, before anything processes it", () => {
    const processed: string[] = [];
    const taken: string[] = [];
    for (const { path, schema } of ALL.flatMap(({ route, schema }) => textsOf(schema, route).leaves)) {
      const seen = processing(LONG - 1, () => {
        const read = v.safeParse(schema, over);
        if (read.success && read.output !== "") taken.push(path);
      });
      if (seen.length > 0) processed.push(`${path}: ${seen}`);
    }
    expect({ processed, taken }).toEqual({ processed: [], taken: [] });
  });

  const planted = {
    "no maximum": v.object({ name: v.string() }),
    "a maximum behind what trims": v.object({ name: v.pipe(v.string(), v.trim(), v.maxLength(5)) }),
    "a maximum that lets a pattern look": v.object({ name: v.pipe(v.string(), v.maxLength(5), v.regex(/^a+$/)) }),
    "a list without end": v.object({ names: v.array(text(5)) }),
    "a record without end": v.record(text(5), text(5)),
    "a text in an optional one of a union": v.object({ name: v.nullish(v.union([v.boolean(), v.string()])) }),
    "anything at all": v.object({ name: v.any() }),
  };
  test.each(Object.entries(planted))("fails this check with %s", (_, schema) => {
    expect(textsOf(schema as v.GenericSchema).faults).toHaveLength(1);
  });

  test("is detected when it is processed", () => {
    const processed = v.pipe(v.string(), v.maxLength(5), v.regex(/^a+$/));
    expect(processing(5, () => void v.safeParse(processed, "aaaaaaaa"))).toEqual(["test", "exec"]);
    expect(processing(5, () => void "aaaaaaaa".normalize("NFC").trim())).toEqual(["normalize", "trim"]);
    expect(processing(5, () => void v.safeParse(text(5), "aaaaaaaa"))).toEqual([]);
  });

  test("enters through schemas only, except for what is listed here with its limits", () => {
    const READS = /c\.req\.(query|queries|text|json|arrayBuffer|blob|formData|parseBody|raw|param)\b/;
    const found = [...new Glob("src/**/*.ts").scanSync(".")].filter((file) => READS.test(readFileSync(file, "utf8")));
    expect(found.sort()).toEqual(Object.keys(RAW).sort());
  });

  test("is normalised in one place, which splits long runs of combining marks", () => {
    const found = [...new Glob("{src,web}/**/*.{ts,tsx}").scanSync(".")].filter((file) =>
      /\.normalize\(/.test(readFileSync(file, "utf8")),
    );
    expect(found).toEqual(["src/shared/unicode.ts"]);
  });

  test("has the same limits in Telegram's webhook", async () => {
    const taken: unknown[] = [];
    const notifications = { onTelegramUpdate: async (one: unknown) => void taken.push(one) };
    const app = telegramWebhook(notifications as unknown as Parameters<typeof telegramWebhook>[0], "secret");
    const message = (words: string) => ({
      update_id: 1,
      message: { chat: { id: 1, type: "private" }, from: { id: 1, is_bot: false, first_name: "A" }, text: words },
    });
    const send = (words: string) =>
      app.request("/api/telegram/webhook", {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-Telegram-Bot-Api-Secret-Token": "secret" },
        body: JSON.stringify(message(words)),
      });
    expect((await send("/status")).status).toBe(200);
    expect((await send(marks(100_000))).status).toBe(200);
    expect(taken).toHaveLength(1);
  });
});

describe("normalised()", () => {
  test("equals the platform's normalisation for every text that people write", () => {
    for (const typed of [
      "",
      "Zoë",
      "ｆｕｌｌ",
      "Vũ Thị Ế".normalize("NFD"),
      "ﬁ",
      "가각".normalize("NFD"),
      "ガ",
      `a${"\u0300".repeat(30)}`,
    ])
      for (const form of ["NFC", "NFKC", "NFKD"] as const) expect(normalised(typed, form)).toBe(typed.normalize(form));
  });

  test("splits runs of more than 30 marks, and is idempotent", () => {
    for (const run of ["\u0300", "\u0315\u0300\u05ae", "\uff9e\u0300"]) {
      const typed = `a${run.repeat(400)}`;
      const once = normalised(typed, "NFKC");
      const runs = once.split("\u034f").map((part) => (part.match(/\p{M}/gu) ?? []).length);
      expect(Math.max(...runs)).toBeLessThanOrEqual(30);
      expect(normalised(once, "NFKC")).toBe(once);
    }
  });
});

describe("Input validated outside of schemas", () => {
  test("is rejected when too long, whoever calls the function", () => {
    const seen = processing(2000, () => {
      expect(normaliseEmail(`${"a".repeat(5000)}@example.com`)).toBeUndefined();
      expect(normaliseEmail(marks(5000))).toBeUndefined();
      for (const channel of ["email", "telegram", "pushover", "ntfy", "webhook", "webpush"] as const)
        expect(contactValue(channel, marks(5000))).toBeUndefined();
    });
    expect(seen).toEqual([]);
  });

  test("is accepted within its limits", () => {
    const longest = `${"a".repeat(64)}@${"b".repeat(63)}.${"c".repeat(63)}.${"d".repeat(57)}.com`;
    expect(longest).toHaveLength(254);
    expect(normaliseEmail(longest)).toBe(longest);
    expect(normaliseEmail(`  ${longest}\n`)).toBe(longest);
  });
});

describe("The longest accepted body", () => {
  const body = marks(15_000);
  const email = `${body}@example.com`;

  test.each([
    ["/api/login", "email", { email, password: "Tranquil-Harbour-42" }, { email: "EMAIL_INVALID" }],
    ["/api/login", "password", { email: "a@example.com", password: body }, { password: "PASSWORD_TOO_LONG" }],
    ["/api/forgot-password", "email", { email }, { email: "EMAIL_INVALID" }],
    ["/api/register", "firstName", { firstName: body }, { firstName: "NAME_TOO_LONG" }],
    ["/api/register", "password", { password: body, confirmPassword: body }, { password: "PASSWORD_TOO_LONG" }],
    ["/api/reset-password", "password", { token: "x", password: body }, { password: "PASSWORD_TOO_LONG" }],
  ] as const)("of %s is refused by its length alone, in field %s", async (path, _, sent, fields) => {
    let answer: Response | undefined;
    const seen: string[] = [];
    const real = String.prototype.normalize;
    String.prototype.normalize = function (form) {
      if (this.length > 5000) seen.push("normalize");
      return real.call(this, form);
    };
    try {
      answer = await world.app.request(path, {
        method: "POST",
        headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
        body: JSON.stringify(sent),
      });
    } finally {
      String.prototype.normalize = real;
    }
    expect(seen).toEqual([]);
    expect(answer.status).toBe(422);
    expect(await answer.json()).toMatchObject({ code: "INVALID_INPUT", fields });
  });

  test("of a list of addresses is not normalised in lines that are too long for an address", async () => {
    const call = await signedUp(world, "alice@example.com");
    const seen = new Set<number>();
    const real = String.prototype.normalize;
    String.prototype.normalize = function (form) {
      seen.add(this.length);
      return real.call(this, form);
    };
    const lines = [marks(320), marks(4000), "bob@example.com"].join("\n");
    try {
      expect((await call("POST", "/api/associations/bulk/preview", { text: lines })).status).toBe(200);
      const refused = await call("POST", "/api/support/feedback", { description: "x".repeat(32_001) + marks(10_000) });
      expect(await refused.json()).toMatchObject({ fields: { description: "TEXT_TOO_LONG" } });
    } finally {
      String.prototype.normalize = real;
    }
    expect(Math.max(...seen)).toBeLessThan(400);
  });
});
