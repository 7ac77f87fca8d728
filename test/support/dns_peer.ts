import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { freePort } from "./ports.ts";

const [TXT, CNAME] = [16, 5];
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, FORMERR: 1 };
/** What fits into a datagram for resolvers today. */
const DATAGRAM = 1232;

export type DnsFailure =
  | keyof typeof CODES
  /** No answer at all. */
  | "silence"
  | "garbage"
  /** A message that ends in the middle of a record. */
  | "half"
  /** An answer to another question, as a forger would send. */
  | "wrong id"
  /** Truncated by UDP, without an answer by TCP. */
  | "truncated";
export type DnsPeer = Awaited<ReturnType<typeof startDnsPeer>>;

type Question = { id: number; name: string; type: number; bytes: Buffer };
type Zone = { records: string[][]; alias?: string; failure?: DnsFailure | undefined };

function uint16(...values: number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length);
  for (const [place, value] of values.entries()) bytes.writeUInt16BE(value, 2 * place);
  return bytes;
}

const counted = (text: string) => Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);
const nameBytes = (name: string) => Buffer.concat([...name.split(".").map(counted), Buffer.of(0)]);

function questionIn(message: Buffer): Question {
  const labels: string[] = [];
  let at = 12;
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const bytes = message.subarray(12, at + 5);
  return {
    id: message.readUInt16BE(0),
    name: labels.join(".").toLowerCase(),
    type: message.readUInt16BE(at + 1),
    bytes,
  };
}

/** A resource record of class IN that lives for a minute. */
function record(owner: string, type: number, data: Buffer): Buffer {
  return Buffer.concat([nameBytes(owner), uint16(type, 1, 0, 60, data.length), data]);
}

function reply({ id, bytes }: Question, { code = 0, isTruncated = false, answers = [] as Buffer[] } = {}): Buffer {
  const flags = 0x8180 | code | (isTruncated ? 0x0200 : 0);
  return Buffer.concat([uint16(id, flags, 1, answers.length, 0, 0), bytes, ...answers]);
}

/** A name server on loopback, by UDP and TCP, that answers for TXT records and can be told to misbehave. */
export async function startDnsPeer() {
  const zones = new Map<string, Zone>();
  const asked: string[] = [];
  const zoneOf = (name: string): Zone => {
    const zone = zones.get(name) ?? { records: [] };
    zones.set(name, zone);
    return zone;
  };

  function answersFor(name: string): Buffer[] {
    const { records, alias } = zones.get(name) ?? { records: [] };
    const texts = records.map((strings) => record(name, TXT, Buffer.concat(strings.map(counted))));
    return alias === undefined ? texts : [record(name, CNAME, nameBytes(alias)), ...answersFor(alias)];
  }

  /** Undefined for silence. */
  function answerTo(question: Question, isTcp: boolean): Buffer | undefined {
    const zone = zones.get(question.name);
    const failure = zone?.failure;
    if (failure !== undefined && failure in CODES)
      return reply(question, { code: CODES[failure as keyof typeof CODES] });
    if (zone === undefined) return reply(question, { code: CODES.NXDOMAIN });
    const answers = question.type === TXT ? answersFor(question.name) : [];
    const whole = reply(question, { answers });
    switch (failure) {
      case "silence":
        return undefined;
      case "garbage":
        return Buffer.from("not a message");
      case "half":
        return whole.subarray(0, whole.length - 7);
      case "wrong id":
        return reply({ ...question, id: question.id ^ 1 }, { answers });
      case "truncated":
        return isTcp ? undefined : reply(question, { isTruncated: true });
      default:
        return isTcp || whole.length <= DATAGRAM ? whole : reply(question, { isTruncated: true });
    }
  }

  const port = await freePort();
  const udp = createSocket("udp4");
  udp.on("message", (message, from) => {
    const question = questionIn(message);
    asked.push(`udp ${question.name}`);
    const answer = answerTo(question, false);
    if (answer) udp.send(answer, from.port, from.address);
  });
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("data", (bytes: Buffer) => {
      const question = questionIn(bytes.subarray(2));
      asked.push(`tcp ${question.name}`);
      const answer = answerTo(question, true);
      if (answer) socket.write(Buffer.concat([uint16(answer.length), answer]));
      else socket.end();
    });
  });
  udp.bind(port, "127.0.0.1");
  tcp.listen(port, "127.0.0.1");
  await Promise.all([once(udp, "listening"), once(tcp, "listening")]);

  return {
    server: `127.0.0.1:${port}`,
    /** All questions, in order. */
    asked,
    /** Adds TXT records, each with its strings. A name without records exists all the same. */
    publish: (name: string, ...records: string[][]): void => void zoneOf(name).records.push(...records),
    alias(name: string, to: string): void {
      zoneOf(name).alias = to;
    },
    withdraw: (name: string): void => void zones.delete(name),
    /** Questions for this name end like this; undefined ends that. */
    fail(name: string, failure: DnsFailure | undefined): void {
      zoneOf(name).failure = failure;
    },
    async stop(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      const closed = Promise.all([once(udp, "close"), once(tcp, "close")]);
      udp.close();
      tcp.close();
      await closed;
    },
  };
}
