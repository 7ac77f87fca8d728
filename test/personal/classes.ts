/** Why a column stays when the account is gone, and until when. */
export type Kept = { why: string; until: string };

/**
 * What the columns of one table hold. Each column is named exactly once, separated by spaces:
 *
 * - `told`: about a person; in the account's export, at `at` and under its own name or that of `as`.
 * - `withheld`: about a person, and not exported, for the reason given.
 * - `kept`: about a person, or what is left of one, and still there after the account has been deleted.
 * - `plain`: not personal. It can never hold anything that identifies a person.
 *
 * What is told or withheld is gone when the account is deleted. `words` repeats those text columns that can only hold words
 * of a fixed list or what this product has drawn itself, so that no marker can be put into them.
 */
export type Columns = {
  at?: string;
  as?: Record<string, string>;
  told?: string;
  withheld?: Record<string, string>;
  kept?: Record<string, Kept>;
  plain?: string;
  words?: string;
};
export type Table = `${string}.${string}`;
export type ClassName = "told" | "withheld" | "kept" | "plain";
export type Classified = { name: string; table: Table; column: string; is: ClassName; isWord: boolean };

export const namesIn = (list = "") => list.split(/\s+/).filter((name) => name !== "");

/** All columns with their classes; one that is named twice is there twice. */
export function classified(tables: Record<Table, Columns>): Classified[] {
  return (Object.entries(tables) as [Table, Columns][]).flatMap(([table, columns]) => {
    const words = new Set(namesIn(columns.words));
    const of = (is: ClassName, names: string[]) =>
      names.map((column) => ({ name: `${table}.${column}`, table, column, is, isWord: words.has(column) }));
    return [
      ...of("told", namesIn(columns.told)),
      ...of("withheld", Object.keys(columns.withheld ?? {})),
      ...of("kept", Object.keys(columns.kept ?? {})),
      ...of("plain", namesIn(columns.plain)),
    ];
  });
}

/** What is wrong between the table of classes and the columns that there are, each as a sentence. */
export function mistakesIn(tables: Record<Table, Columns>, columns: string[]): string[] {
  const classes = Map.groupBy(classified(tables), ({ name }) => name);
  const wordless = (Object.entries(tables) as [Table, Columns][]).flatMap(([table, { words }]) =>
    namesIn(words).flatMap((column) => (classes.has(`${table}.${column}`) ? [] : [`${table}.${column}`])),
  );
  return [
    ...columns
      .filter((name) => !classes.has(name))
      .map((name) => `${name} has no class: say in test/personal what it holds, and how it ends`),
    ...[...classes].filter(([, all]) => all.length > 1).map(([name]) => `${name} has more than one class`),
    ...[...classes.keys(), ...wordless]
      .filter((name) => !columns.includes(name))
      .map((name) => `${name} does not exist`),
  ];
}

const camel = (column: string) => column.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Where the value of a column stands in the exported document; `*` is each entry of a list. */
export function pathOf({ at = "", as }: Columns, column: string): string {
  return column === "account_id" ? "account.id" : `${at}.${as?.[column] ?? camel(column)}`;
}
