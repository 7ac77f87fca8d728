import { type PGlite, parse, protocol } from "@electric-sql/pglite";
import { isInBackground } from "./priority_queue.ts";

type Query = PGlite["query"];
type Options = Parameters<Query>[2];
type Message = Awaited<ReturnType<PGlite["execProtocolStream"]>>[number];
/** A prepared statement: `types` of its parameters, and `fields`, the description of its rows. */
type Statement = { name: string; types: number[]; fields: Message[]; at: number; uses: number };

/** Statements that have a plan; others are sent unprepared. */
const PLANNED = /^\s*(?:select|insert|update|delete|with)\b/;
/** COPY reads and writes files that only PGlite's own API can access. */
const COPY = /^\s*copy\b/;
/** Size of the LRU cache of prepared statements; statements with lists can have many texts. */
export const MOST_PREPARED = 300;
/**
 * PGlite runs no autovacuum and so never analyses tables: a plan is renewed after this many uses or this long, so that it fits
 * tables that have grown since.
 */
const USES = 1000;
const LASTS_MS = { request: 10_000, job: 2000 };

type Send = (...messages: Uint8Array[]) => Promise<Message[]>;

/** The prepared statements by their texts; the least recently used makes room for a new one. */
function statementCache(send: Send) {
  const { serialize } = protocol;
  const prepared = new Map<string, Statement>();
  let count = 0;

  async function prepare(text: string): Promise<Statement> {
    const name = `s${++count}`;
    const described = await send(
      serialize.parse({ name, text }),
      serialize.describe({ type: "S", name }),
      serialize.sync(),
    );
    const fields = described.filter((message) => message.name === "rowDescription");
    return { name, types: parse.parseDescribeStatementResults(described), fields, at: performance.now(), uses: 0 };
  }

  async function forget(text: string): Promise<void> {
    const known = prepared.get(text);
    if (!known) return;
    prepared.delete(text);
    await send(serialize.close({ type: "S", name: known.name }), serialize.sync());
  }

  async function statementOf(text: string, lastsMs: number): Promise<Statement> {
    const known = prepared.get(text);
    if (known && known.uses < USES && performance.now() - known.at < lastsMs) {
      prepared.delete(text);
      prepared.set(text, known);
      return known;
    }
    await forget(text);
    const [oldest] = prepared.size < MOST_PREPARED ? [] : prepared.keys();
    if (oldest !== undefined) await forget(oldest);
    const made = await prepare(text);
    prepared.set(text, made);
    return made;
  }

  return { statementOf, forget };
}

/** Runs a prepared statement: values become text by the types of its parameters, and the answer rows by those of its fields. */
function executor(client: PGlite, send: Send) {
  const { serialize } = protocol;
  return async function execute(
    { name, types, fields }: Statement,
    parameters: unknown[],
    { rowMode = "object", parsers: own }: NonNullable<Options>,
  ) {
    const values = parameters.map((value, place) => {
      if (value === null || value === undefined) return null;
      const written = client.serializers[types[place] ?? 0];
      return written ? written(value) : String(value);
    });
    const answer = await send(serialize.bind({ statement: name, values }), serialize.execute({}), serialize.sync());
    // The caller's own parsers shadow the defaults by prototype: PGlite would copy all parsers for each answer.
    const parsers = Object.assign(Object.create(client.parsers), own) as typeof client.parsers;
    return parse.parseResults([...fields, ...answer], parsers, { rowMode })[0];
  };
}

/**
 * The embedded database's `query`, with server-side prepared statements cached by their text, as the server driver has them:
 * PGlite itself parses and plans each query anew, which usually takes longer than running it: through PGlite's own API the dashboard
 * misses its bound, and a page of alerts takes twice as long. Messages and their order:
 * https://www.postgresql.org/docs/current/protocol-flow.html#PROTOCOL-FLOW-EXT-QUERY
 */
export function preparedStatements(client: PGlite): Query {
  // The file system itself writes what files contain.
  const send: Send = (...messages) => client.execProtocolStream(Buffer.concat(messages), { syncToFs: false });
  const { statementOf, forget } = statementCache(send);
  const execute = executor(client, send);

  const query = (text: string, parameters: unknown[] = [], options: Options = {}) => {
    if (COPY.test(text)) return client.query(text, parameters, options);
    const lastsMs = isInBackground() ? LASTS_MS.job : LASTS_MS.request;
    return client.runExclusive(async () => {
      if (client.closed) throw new Error("PGlite is closed");
      if (!PLANNED.test(text))
        return parse.parseResults(await send(protocol.serialize.query(text)), client.parsers, options)[0];
      const statement = await statementOf(text, lastsMs);
      statement.uses += 1;
      try {
        return await execute(statement, parameters, options);
      } catch (error) {
        // The definition of its tables may have changed.
        await forget(text);
        throw error;
      }
    });
  };
  return query as Query;
}
