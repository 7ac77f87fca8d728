import { describe, expect, test } from "bun:test";
import { aliasesIn } from "../../src/tracking/alias_lists.ts";

const SIMPLELOGIN = `alias,note,enabled,mailboxes\r
shop.x1@aleeas.example,"Shop, ""new""",True,ada@example.org\r
news@aleeas.example,,False,ada@example.org other@example.org\r
`;
const ADDY = `id,local_part,extension,domain,email,active,description,recipients
1,shop,,ada.addy.example,shop@ada.addy.example,1,for ada@example.org,ada@example.org
2,news,,ada.addy.example,News@Ada.Addy.Example,1,,
`;

describe("aliasesIn()", () => {
  test("takes only the aliases of an export, not the mailboxes behind them", () => {
    expect(aliasesIn(SIMPLELOGIN)).toEqual({
      addresses: ["shop.x1@aleeas.example", "news@aleeas.example"],
      bad: 0,
    });
    expect(aliasesIn(`\uFEFF${ADDY}`)).toEqual({
      addresses: ["shop@ada.addy.example", "news@ada.addy.example"],
      bad: 0,
    });
  });

  test("takes one address per line, and any other list", () => {
    expect(aliasesIn("a@b.example\n\nC@B.example\na@b.example")).toEqual({
      addresses: ["a@b.example", "c@b.example"],
      bad: 0,
    });
    expect(aliasesIn("Ada <a@b.example>, c@b.example; d")).toMatchObject({ addresses: ["a@b.example", "c@b.example"] });
  });

  test("counts lines without an address", () => {
    expect(aliasesIn("a@b.example\nnothing\n@")).toEqual({ addresses: ["a@b.example"], bad: 2 });
    expect(aliasesIn(`alias,note\nnone,a@b.example\nc@b.example,"a note\nwith two lines"`)).toEqual({
      addresses: ["c@b.example"],
      bad: 2,
    });
    expect(aliasesIn("")).toEqual({ addresses: [], bad: 0 });
    expect(aliasesIn("alias,note\n")).toEqual({ addresses: [], bad: 0 });
  });

  test("reads exports of any length, and other lists that could be added", () => {
    const line = (at: number) => `a${at}@alias.example,${"a note ".repeat(20)}\n`;
    const lines = Array.from({ length: 1000 }, (_, at) => line(at)).join("");
    expect(aliasesIn(`alias,note\n${lines}`)?.addresses).toHaveLength(1000);
    expect(aliasesIn(lines)).toBeUndefined();
  });
});
