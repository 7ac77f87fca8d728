import { messages, type PGlite, protocol } from "@electric-sql/pglite";
import { isInBackground } from "./turns.ts";

type Query = PGlite["query"];
type Field = { name: string; dataTypeID: number };
type Known = { name: string; parsedAt: number; takes: number[]; fields: Field[] };
type Reader = (text: string, type: number) => unknown;

/** Each costs memory until the process ends; lists of any length make new texts. */
const MOST_NAMED = 200;
const MOST_PARAMETERS = 20;
/** So long a plan is kept: a table that was empty when it was made may be full soon. */
const PLANNED_MS = 10_000;

const { serialize } = protocol;

function together(...parts: Uint8Array[]): Uint8Array {
  return Buffer.concat(parts);
}

/**
 * PGlite has each statement read, planned and described at every call, which takes six times as long as to answer it. What
 * requests ask again and again is asked by name here, and in one message. What a job asks is planned each time, as at the
 * server: it meets tables that grow under it.
 */
export function namedStatements(client: PGlite): Query {
  const known = new Map<string, Known>();
  let named = 0;

  async function send(...parts: Uint8Array[]) {
    return (await client.execProtocol(together(...parts, serialize.sync()))).messages;
  }

  async function parsed(text: string): Promise<Known> {
    const before = known.get(text);
    if (before && performance.now() - before.parsedAt < PLANNED_MS) return before;
    const name = before?.name ?? `s${named++}`;
    known.delete(text);
    // One that is not there is closed, too.
    const closed = serialize.close({ type: "S", name });
    const described = await send(closed, serialize.parse({ name, text }), serialize.describe({ type: "S", name }));
    const takes = described.find((one) => one instanceof messages.ParameterDescriptionMessage)?.dataTypeIDs ?? [];
    const fields = described.find((one) => one instanceof messages.RowDescriptionMessage)?.fields ?? [];
    const statement = { name, parsedAt: performance.now(), takes, fields };
    known.set(text, statement);
    return statement;
  }

  const isWorthNaming = (text: string, parameters: number) =>
    known.has(text) || (known.size < MOST_NAMED && parameters > 0 && parameters <= MOST_PARAMETERS);

  function asked(text: string, parameters: unknown[], options: Parameters<Query>[2]) {
    return client.runExclusive(async () => {
      const { name, takes, fields } = await parsed(text);
      const values = parameters.map((value, place) => {
        if (value === null || value === undefined) return null;
        const type = takes[place] ?? 0;
        const written = options?.serializers?.[type] ?? client.serializers[type];
        return written ? written(value) : String(value);
      });
      const answer = await send(serialize.bind({ statement: name, values }), serialize.execute({}));
      const read: Reader = (text, type) => (options?.parsers?.[type] ?? client.parsers[type])?.(text, type) ?? text;
      const rows = answer.flatMap((one) => {
        if (!(one instanceof messages.DataRowMessage)) return [];
        const row = one.fields.map((text, place) =>
          text === null ? null : read(text, fields[place]?.dataTypeID ?? 0),
        );
        if (options?.rowMode === "array") return [row];
        return [Object.fromEntries(row.map((value, place) => [fields[place]?.name, value]))];
      });
      return { rows, fields: fields.map(({ name, dataTypeID }) => ({ name, dataTypeID })) };
    });
  }

  let last: Promise<unknown> = Promise.resolve();
  const query = (text: string, parameters: unknown[] = [], options?: Parameters<Query>[2]) => {
    const isNamed = !isInBackground() && isWorthNaming(text, parameters.length);
    const ask = () => (isNamed ? asked : client.query.bind(client))(text, parameters, options);
    // In the order in which they come: the two ways are not equally long.
    const answered = last.then(ask);
    // A table may have changed under it.
    last = answered.catch(() => known.delete(text));
    return answered;
  };
  return query as Query;
}
