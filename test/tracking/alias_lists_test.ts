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

  test("reads up to as many as an address may have, with long notes only in an export", () => {
    const list = (count: number, note = "") =>
      Array.from({ length: count }, (_, at) => `a${at}@alias.example,${note}\n`).join("");
    const note = "a note ".repeat(100);
    expect(aliasesIn(`alias,note\n${list(200, note)}`)?.addresses).toHaveLength(200);
    expect(aliasesIn(list(200))?.addresses).toHaveLength(200);
    expect(aliasesIn(list(200, note))).toBeUndefined();
    expect(aliasesIn(`alias,note\n${list(201)}`)).toBeUndefined();
    expect(aliasesIn(list(201))).toBeUndefined();
  });

  test("reads up to 5000 lines of an export", () => {
    expect(aliasesIn(`alias,note\n${"x,\n".repeat(4999)}`)).toEqual({ addresses: [], bad: 4999 });
    expect(aliasesIn(`alias,note\n${"x,\n".repeat(5000)}`)).toBeUndefined();
  });
});
