import { describe, expect, test } from "bun:test";
import { isSettled, judge, type Kept } from "./ledger.ts";

const sentRow = (id: string, subject: string, alertIds: string[] | null = null) => ({
  id,
  subject,
  alertIds,
  state: "sent",
  reason: null,
  messageId: `<${id}>`,
  inDoubt: false,
});
const kept = (): Kept => ({
  alerts: [
    { id: "old", baseline: true },
    { id: "new", baseline: false },
  ],
  rows: [sentRow("1", "report:ada", ["old"]), sentRow("2", "alert:new")],
});
const sent = () => [
  { delivery: "1", messageId: "<1>" },
  { delivery: "2", messageId: "<2>" },
];
const EXPECTED = { people: 1, breaches: 2 };
const verdict = (spoil: (kept: Kept, sent: { delivery: string; messageId: string }[]) => unknown) => {
  const [ledger, mails] = [kept(), sent()];
  spoil(ledger, mails);
  const { lost, unflagged, renamed, extra } = judge(ledger, mails, EXPECTED);
  return { lost: lost.length, unflagged: unflagged.length, renamed: renamed.length, extra };
};
const GOOD = { lost: 0, unflagged: 0, renamed: 0, extra: 0 };
const first = <T>([one]: T[]) => {
  if (one === undefined) throw new Error("Nothing is there");
  return one;
};

describe("the verdict on killed deliveries", () => {
  test("is good if each alert is delivered and each mail arrived once", () => {
    expect(verdict(() => {})).toEqual(GOOD);
    expect(isSettled(kept(), EXPECTED)).toBe(true);
  });

  test("detects a loss at any stage", () => {
    expect(verdict(({ alerts }) => alerts.pop())).toMatchObject({ lost: 1 });
    expect(verdict((_, mails) => mails.pop())).toMatchObject({ lost: 1 });
    expect(verdict(({ rows }) => Object.assign(first(rows), { state: "dead" }))).toMatchObject({ lost: 1 });
    expect(verdict(({ rows }) => Object.assign(first(rows), { alertIds: [] }))).toMatchObject({ lost: 1 });
    // Without its row, the alert has no delivery, and its mail is not in the log.
    expect(verdict(({ rows }) => rows.pop())).toMatchObject({ lost: 1, unflagged: 1 });
  });

  test("allows a duplicate mail if the log marks it as in doubt, with the same Message-ID", () => {
    const again = { delivery: "1", messageId: "<1>" };
    expect(verdict((_, mails) => mails.push(again))).toEqual({ ...GOOD, unflagged: 1, extra: 1 });
    const inDoubt = ({ rows }: Kept) => Object.assign(first(rows), { inDoubt: true });
    expect(verdict((ledger, mails) => [inDoubt(ledger), mails.push(again)])).toEqual({ ...GOOD, extra: 1 });
    const renamed = { ...again, messageId: "<other>" };
    expect(verdict((ledger, mails) => [inDoubt(ledger), mails.push(renamed)])).toMatchObject({ renamed: 1 });
  });

  test("detects two deliveries of one alert, and an extra alert", () => {
    const twin = sentRow("3", "alert:new");
    const spoilt = verdict(({ rows }, mails) => [rows.push(twin), mails.push({ delivery: "3", messageId: "<3>" })]);
    expect(spoilt).toEqual({ ...GOOD, unflagged: 1 });
    expect(verdict(({ alerts }) => alerts.push({ id: "old", baseline: true }))).toMatchObject({ unflagged: 1 });
  });

  test("waits for what is not yet found, queued or sent", () => {
    expect(isSettled({ ...kept(), alerts: kept().alerts.slice(1) }, EXPECTED)).toBe(false);
    expect(isSettled({ ...kept(), rows: kept().rows.slice(1) }, EXPECTED)).toBe(false);
    const due = {
      ...kept(),
      rows: [sentRow("1", "report:ada", ["old"]), { ...sentRow("2", "alert:new"), state: "due" }],
    };
    expect(isSettled(due, EXPECTED)).toBe(false);
  });
});
