import { type PGlite, parse, protocol } from "@electric-sql/pglite";
import { isInBackground } from "./priority_queue.ts";

type Query = PGlite["query"];
type Options = Parameters<Query>[2];
type Message = Awaited<ReturnType<PGlite["execProtocolStream"]>>[number];
/** `types` are those of its parameters, `fields` says what its rows consist of. */
type Statement = { name: string; types: number[]; fields: Message[]; at: number; uses: number };

/** What is planned, and may be asked again; all else has nothing to plan, and goes as it is. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/;
/** Its rows come by a file, which PGlite alone gets hold of. */
const COPY = /^\s*copy\b/;
/** Statements of lists may differ from each other: of many, the one that was asked for the longest time ago is forgotten. */
export const MOST_PREPARED = 300;
/**
 * A plan is as good as what was known when it was made, and nothing here analyzes tables by itself: after so many uses or so
 * long it is made anew, from what the tables hold by then. A job meets tables that grow under it.
 */
const USES = 1000;
const LASTS_MS = { request: 10_000, job: 2000 };

/**
 * `query` of the embedded database, with statements that the server keeps prepared by their text, as the driver for a server
 * does: PGlite itself has each read and planned every time, which takes it longer than most take to run. Messages and their
 * order: https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export function preparedStatements(client: PGlite): Query {
  const { serialize } = protocol;
  const prepared = new Map<string, Statement>();
  let count = 0;

  // What files hold is written by the file system itself.
  const ask = (...messages: Uint8Array[]) => client.execProtocolStream(Buffer.concat(messages), { syncToFs: false });

  async function forget(text: string, { name }: Statement): Promise<void> {
    prepared.delete(text);
    await ask(serialize.close({ type: "S", name }), serialize.sync());
  }

  async function prepare(text: string): Promise<Statement> {
    const name = `s${++count}`;
    const described = await ask(
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    );
    const fields = described.filter((message) => message.name === "rowDescription");
    return { name, types: parse.parseDescribeStatementResults(described), fields, at: performance.now(), uses: 0 };
  }

  async function statementOf(text: string, lastsMs: number): Promise<Statement> {
    const known = prepared.get(text);
    if (known && known.uses < USES && performance.now() - known.at < lastsMs) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    if (known) await forget(text, known);
    const [oldest] = prepared.size < MOST_PREPARED ? [] : prepared;
    if (oldest) await forget(...oldest);
    const made = await prepare(text);
    prepared.set(text, made);
    return made;
  }

  async function run(
    { name, types, fields }: Statement,
    parameters: unknown[],
    { rowMode = "object", parsers: own }: NonNullable<Options>,
  ) {
    const values = parameters.map((value, place) => {
      if (value === null || value === undefined) return null;
      const written = client.serializers[types[place] ?? 0];
      return written ? written(value) : String(value);
    });
    const answer = await ask(serialize.bind({ statement: name, values }), serialize.execute({}), serialize.sync());
    // What the caller reads in its own way goes before: PGlite would copy how all types are read, for each answer.
    const parsers = Object.assign(Object.create(client.parsers), own) as typeof client.parsers;
    return parse.parseResults([...fields, ...answer], parsers, { rowMode })[0];
  }

  const query = (text: string, parameters: unknown[] = [], options: Options = {}) => {
    if (COPY.test(text)) return client.query(text, parameters, options);
    const lastsMs = isInBackground() ? LASTS_MS.job : LASTS_MS.request;
    return client.runExclusive(async () => {
      if (client.closed) throw new Error("PGlite is closed");
      if (!PLANNED.test(text)) return parse.parseResults(await ask(serialize.query(text)), client.parsers, options)[0];
      const statement = await statementOf(text, lastsMs);
      statement.uses += 1;
      try {
        return await run(statement, parameters, options);
      } catch (error) {
        // Its tables may have changed.
        if (prepared.has(text)) await forget(text, statement);
        throw error;
      }
    });
  };
  return query as Query;
}
