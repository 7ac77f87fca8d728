import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { Letter } from "../../src/breaches/ports.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { eachDatabase } from "../support/postgres.ts";

const NOW = new Date("2026-11-27T12:00:00.000Z");
const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000);
const ALICE = crypto.randomUUID();
const BOB = crypto.randomUUID();

function aLetter(more: Partial<Letter> = {}): Letter {
  return {
    id: crypto.randomUUID(),
    accountId: ALICE,
    associationId: crypto.randomUUID(),
    alertId: crypto.randomUUID(),
    address: "alice@example.com",
    company: "Northwind AG",
    asks: ["access", "erasure"],
    country: "CH",
    language: "de",
    sentOn: "2026-10-20",
    dueOn: "2026-11-19",
    answered: false,
    remindedAt: undefined,
    createdAt: NOW,
    ...more,
  };
}

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("LetterRepository on %s", (_, open) => {
  async function opened(...letters: Letter[]) {
    const { transaction } = await open();
    await transaction(async (store) => {
      for (const letter of letters) await store.letters.add(letter);
    });
    return transaction;
  }

  test("list() returns an account's letters as they were added, the latest first", async () => {
    const [first, second, foreign] = [
      aLetter(),
      aLetter({ createdAt: at(1), dueOn: undefined, country: "US" }),
      aLetter({ accountId: BOB }),
    ];
    const transaction = await opened(first, second, foreign);
    expect(await transaction(({ letters }) => letters.list(ALICE))).toEqual([second, first]);
    expect(await transaction(({ letters }) => letters.count(ALICE))).toBe(2);
    expect(await transaction(({ letters }) => letters.count(crypto.randomUUID()))).toBe(0);
  });

  test("only the account itself changes and removes its letters", async () => {
    const letter = aLetter();
    const transaction = await opened(letter);
    await transaction(async ({ letters }) => {
      expect(await letters.setAnswered(BOB, letter.id, true)).toBe(false);
      expect(await letters.remove(BOB, letter.id)).toBe(false);
      expect(await letters.list(ALICE)).toEqual([letter]);
      expect(await letters.setAnswered(ALICE, letter.id, true)).toBe(true);
      expect(await letters.list(ALICE)).toEqual([{ ...letter, answered: true }]);
      expect(await letters.remove(ALICE, letter.id)).toBe(true);
      expect(await letters.remove(ALICE, letter.id)).toBe(false);
    });
  });

  test("removeByAccount() leaves other accounts' letters", async () => {
    const [own, foreign] = [aLetter(), aLetter({ accountId: BOB })];
    const transaction = await opened(own, foreign);
    await transaction(({ letters }) => letters.removeByAccount(ALICE));
    expect(await transaction(({ letters }) => letters.list(ALICE))).toEqual([]);
    expect(await transaction(({ letters }) => letters.list(BOB))).toEqual([foreign]);
  });

  test("listOverdue() returns what is due, unanswered and not yet reminded of, the oldest deadline first", async () => {
    const [older, newer] = [aLetter({ dueOn: "2026-11-01" }), aLetter()];
    const others = [
      aLetter({ dueOn: undefined }),
      aLetter({ dueOn: "2026-11-27" }),
      aLetter({ answered: true }),
      aLetter({ remindedAt: NOW }),
    ];
    const transaction = await opened(newer, older, ...others);
    const overdue = (limit = 10) => transaction(({ letters }) => letters.listOverdue("2026-11-27", limit));
    expect(await overdue()).toEqual([older, newer]);
    expect(await overdue(1)).toEqual([older]);
    expect(await transaction(({ letters }) => letters.markReminded(older.id, NOW))).toBe(true);
    expect(await overdue()).toEqual([newer]);
  });

  test("markReminded() is true for one of ten concurrent callers, and never for an answered letter", async () => {
    const [open_, answered] = [aLetter(), aLetter({ answered: true })];
    const transaction = await opened(open_, answered);
    const mark = (id: string) => transaction(({ letters }) => letters.markReminded(id, NOW));
    const marked = await Promise.all(Array.from({ length: 10 }, () => mark(open_.id)));
    expect(marked.filter(Boolean)).toHaveLength(1);
    expect(await mark(answered.id)).toBe(false);
    expect(await mark(crypto.randomUUID())).toBe(false);
  });

  test("count() lets concurrent callers add one after the other", async () => {
    const transaction = await opened();
    const addFirst = () =>
      transaction(async ({ letters }) => {
        if ((await letters.count(ALICE)) === 0) await letters.add(aLetter());
      });
    await Promise.all(Array.from({ length: 10 }, addFirst));
    expect(await transaction(({ letters }) => letters.list(ALICE))).toHaveLength(1);
  });
});
