import type { Authority, Letter, LetterFacts, LetterInput } from "../../web/api/api.ts";
import { ALICE } from "./fake_alerts.ts";

/** The fake server's letters. */
export type LetterScene = { letters: Letter[] };

export function letters(): Letter[] {
  const same = { alertId: "b1", address: ALICE, country: "CH" as const, language: "de" as const, answered: false };
  return [
    {
      ...same,
      id: "l1",
      company: "Northwind Cinemas AG",
      asks: ["access", "erasure"],
      sentOn: "2026-03-02",
      dueOn: "2026-04-01",
      overdue: true,
    },
    {
      ...same,
      id: "l2",
      company: "Contoso Holding of a very long name, which needs a great deal of room",
      asks: ["incident"],
      sentOn: "2099-10-01",
      dueOn: "2099-10-31",
      overdue: false,
    },
    { ...same, id: "l3", company: "Fabrikam", asks: ["access"], sentOn: "2026-01-02", dueOn: null, overdue: false },
    {
      ...same,
      id: "l4",
      company: "Tailspin",
      asks: ["access"],
      sentOn: "2026-01-02",
      dueOn: "2026-02-01",
      answered: true,
      overdue: false,
    },
  ];
}

function facts(): LetterFacts {
  const company = { address: "Musterstrasse 1\n8000 Zürich\nSwitzerland", webform: null, language: "de" };
  return {
    address: ALICE,
    service: "Northwind Cinemas",
    breachDate: "2021-01-05",
    companies: [
      { ...company, name: "Northwind Cinemas AG", email: "privacy@northwindcinemas.example" },
      { ...company, name: "Northwind Cinemas International Holding Ltd.", email: null },
    ],
    asOf: "2026-07-21",
  };
}

const AUTHORITIES: Authority[] = ["Federal Data Protection Commissioner", "Commissioner of a Canton"].map(
  (name, place) => ({
    name,
    address: "Street 1\n3003 Bern\nSwitzerland",
    email: "info@authority.example",
    webform: place === 0 ? "https://authority.example/complaint" : null,
    website: "https://authority.example/",
    language: "de",
  }),
);

export function answerLetters(stage: LetterScene, call: string, sent: unknown): unknown {
  const [, id = ""] = /\/api\/letters\/(\w+)/.exec(call) ?? [];
  const letter = stage.letters.find((one) => one.id === id);
  if (/^GET \/api\/alerts\/\w+\/letter$/.test(call)) return facts();
  if (call === "GET /api/letters") return { items: stage.letters };
  if (call === "GET /api/authorities") return { authorities: AUTHORITIES, asOf: "2026-07-21" };
  if (/^POST \/api\/alerts\/\w+\/letters$/.test(call)) {
    const noted = sent as LetterInput;
    const added = {
      ...noted,
      id: "l9",
      alertId: "b1",
      address: ALICE,
      dueOn: "2099-01-01",
      answered: false,
      overdue: false,
    };
    stage.letters = [added, ...stage.letters];
    return added;
  }
  if (letter && call.startsWith("PUT")) {
    letter.answered = (sent as { answered: boolean }).answered;
    return {};
  }
  if (!letter || !call.startsWith("DELETE")) return undefined;
  stage.letters = stage.letters.filter((one) => one !== letter);
  return {};
}
