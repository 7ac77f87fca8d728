import { beforeAll, describe, expect, test } from "bun:test";
import { classified, pathOf } from "./personal/classes.ts";
import { COLUMNS } from "./personal/columns.ts";
import { MARK, markedAccount, worldOnDatabase } from "./support/marked_account.ts";
import { emptyDatabase } from "./support/postgres.ts";
import { settle, signedUp } from "./support/world.ts";

/** Whether the path exists; `*` is any entry of a list. Its value may be null. */
function leads(value: unknown, [step, ...rest]: string[]): boolean {
  if (step === undefined) return true;
  if (step === "*") return Array.isArray(value) && value.some((entry) => leads(entry, rest));
  return typeof value === "object" && value !== null && step in value && leads(Reflect.get(value, step), rest);
}

/** Columns missing from the document although they must be exported. */
function missingFrom(document: unknown): string[] {
  const told = classified(COLUMNS).filter(({ is }) => is === "told");
  return told.flatMap(({ name, table, column }) =>
    leads(document, pathOf(COLUMNS[table] ?? {}, column).split(".")) ? [] : [name],
  );
}

describe("the exported document", () => {
  let world: Awaited<ReturnType<typeof worldOnDatabase>>;
  let answer: Response;
  let text: string;
  let accountId: string;

  beforeAll(async () => {
    world = await worldOnDatabase(await emptyDatabase());
    const bob = await signedUp(world, "bob@example.net");
    const contacts = { email: ["bob@example.net"] };
    await bob("POST", "/api/associations", { address: "bob@example.net", owner: true, language: "en", contacts });
    const marked = await markedAccount(world);
    accountId = marked.accountId;
    await settle(world);
    answer = await marked.call("POST", "/api/profile/export", {});
    text = await answer.text();
  });

  test("is a file with the date in its name", () => {
    expect(answer.status).toBe(200);
    const day = world.adapters.system.now().toISOString().slice(0, 10);
    expect(answer.headers.get("Content-Disposition")).toBe(`attachment; filename="breachbell-${day}.json"`);
    expect(answer.headers.get("Content-Type")).toContain("application/json");
  });

  test("contains every column that must be exported", () => {
    expect(missingFrom(JSON.parse(text))).toEqual([]);
    expect(missingFrom({ ...JSON.parse(text), account: {} })).toContain("identity.users.email");
  });

  test("contains no secret, and nobody else's data", () => {
    for (const secret of ["plain:", `${MARK}-secret`, `${MARK}-mac`, `${MARK}-hash`, `${MARK}-key`, "bob@example.net"])
      expect({ secret, found: text.includes(secret) }).toEqual({ secret, found: false });
    const hashes = text.match(/"[\w-]{43}"|"[0-9a-f]{64}"/g) ?? [];
    expect(hashes).toEqual([]);
    expect(Object.keys(JSON.parse(text).leftOut)).toContain("password");
  });

  test("contains the marks that the account has left, and is logged", async () => {
    for (const mark of [`${MARK} Ada`, `${MARK} AG`, `${MARK}_tg`, `${MARK} key`, `${MARK}-subject`, `${MARK}-friend`])
      expect(text).toContain(mark);
    const rows = await world.adapters.transactions.identity(({ audit }) => audit.list(accountId, new Date(0), 1));
    expect(rows[0]?.event).toBe("data_exported");
  });
});
