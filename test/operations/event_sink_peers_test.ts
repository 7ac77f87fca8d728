import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { splunkSink } from "../../src/operations/adapters/sinks/splunk.ts";
import { framed, syslogMessage, syslogSink } from "../../src/operations/adapters/sinks/syslog.ts";
import type { OperatorEvent } from "../../src/operations/event_log_ports.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { SPLUNK_TOKEN, splunkPeer } from "../support/splunk_peer.ts";
import { syslogPeer } from "../support/syslog_peer.ts";

const HOST = "breachbell.example";
const CHANNEL = "0198c0de-0000-7000-8000-000000000001";

const event = (more: Record<string, string> = {}): OperatorEvent => ({
  id: Bun.randomUUIDv7(),
  type: "staff.acted",
  version: 1,
  time: "2026-11-20T12:00:00.123Z",
  account: null,
  actor: null,
  ...more,
});
const many = (count: number, more?: Record<string, string>) => Array.from({ length: count }, () => event(more));

describe("A syslog message", () => {
  test("has the header of RFC 5424 and the event as its text", () => {
    const one = event();
    expect(syslogMessage(one, HOST)).toBe(
      `<109>1 2026-11-20T12:00:00.123Z ${HOST} breachbell - staff.acted - ${JSON.stringify(one)}`,
    );
  });

  test("is framed by its length in bytes", () => {
    expect(framed("abc")).toBe("3 abc");
    expect(framed("ü\n")).toBe("3 ü\n");
  });
});

/** Sends in a process of its own, as Bun reads NODE_EXTRA_CA_CERTS once. */
const SENDER = `
  import { syslogSink } from "${import.meta.dir}/../../src/operations/adapters/sinks/syslog.ts";
  const [host, port, events] = process.argv.slice(1);
  const sink = syslogSink({ host, port: Number(port), hostName: "${HOST}", timeoutMs: 3000, closeMs: 300 });
  const said = await sink.send(JSON.parse(await Bun.file(events).text())).then(() => "sent", (error) => error.code ?? error.message);
  console.log(said);
  process.exit();
`;

describe("The syslog sink", () => {
  const folder = mkdtempSync(join(tmpdir(), "breachbell-syslog-"));
  const authority = join(folder, "authority.pem");
  const file = join(folder, "events.json");
  let peer: Awaited<ReturnType<typeof syslogPeer>>;
  beforeAll(async () => {
    writeFileSync(authority, LOOPBACK_AUTHORITY);
    peer = await syslogPeer();
  });
  afterEach(() => {
    peer.messages.length = 0;
    peer.behave("reads");
  });
  afterAll(() => {
    peer.stop();
    rmSync(folder, { recursive: true });
  });

  async function send(
    events: OperatorEvent[],
    { host = "localhost", port = peer.port, isTrusted = true } = {},
  ): Promise<string> {
    writeFileSync(file, JSON.stringify(events));
    const sending = Bun.spawn([process.execPath, "--no-env-file", "-e", SENDER, host, String(port), file], {
      env: { PATH: process.env.PATH ?? "", ...(isTrusted && { NODE_EXTRA_CA_CERTS: authority }) },
    });
    return (await new Response(sending.stdout).text()).trim();
  }

  test("sends each event as one message over one connection", async () => {
    const events = [...many(2), event({ object: "Zürich\n7 not a frame" })];
    const before = peer.connections();
    expect(await send(events)).toBe("sent");
    expect(peer.messages).toEqual(events.map((one) => syslogMessage(one, HOST)));
    expect(peer.connections()).toBe(before + 1);
  });

  test("has sent to a server that does not close its side", async () => {
    peer.behave("keeps open");
    expect(await send(many(3))).toBe("sent");
    expect(peer.messages).toHaveLength(3);
  });

  test.each(["closes early", "resets"] as const)("has not sent to a server that %s", async (behaviour) => {
    peer.behave(behaviour);
    expect(await send(many(3))).not.toBe("sent");
    peer.behave("reads");
    expect(await send(many(3))).toBe("sent");
  });

  test("gives up on a server that reads nothing", async () => {
    peer.behave("never reads");
    expect(await send(many(40_000))).toBe("Not all was taken in time");
  });

  test("rejects a certificate that no known authority has issued, and one for another name", async () => {
    expect(await send(many(1), { isTrusted: false })).toBe("UNABLE_TO_VERIFY_LEAF_SIGNATURE");
    const stranger = await syslogPeer("127.0.0.2");
    expect(await send(many(1), { host: "127.0.0.2", port: stranger.port })).toBe("ERR_TLS_CERT_ALTNAME_INVALID");
    stranger.stop();
    expect([...peer.messages, ...stranger.messages]).toEqual([]);
  });

  test("fails when nothing listens", async () => {
    const sink = syslogSink({ host: "127.0.0.1", port: 1, hostName: HOST });
    await expect(sink.send(many(1))).rejects.toThrow();
  });
});

describe("The Splunk sink", () => {
  let peer: ReturnType<typeof splunkPeer>;
  beforeAll(() => {
    peer = splunkPeer();
  });
  afterEach(() => {
    peer.events.length = 0;
  });
  afterAll(() => peer.stop());
  const sink = (more: { token?: string; timeoutMs?: number } = {}) =>
    splunkSink({ url: peer.url, token: SPLUNK_TOKEN, hostName: HOST, channel: CHANNEL, ...more });

  test("sends a batch in one request, with its channel and the time of each event", async () => {
    const events = many(3);
    await sink().send(events);
    expect(peer.events).toEqual(
      events.map((one) => ({
        time: 1_795_176_000.123,
        host: HOST,
        source: "breachbell",
        sourcetype: "_json",
        event: one,
      })),
    );
    expect([...peer.channels]).toEqual([CHANNEL]);
  });

  test.each([
    { status: 503, body: '{"text":"Server is busy","code":9}' },
    { status: 500, body: "<html>Sorry</html>" },
    { status: 429, body: "" },
    { status: 200, body: "<html>A proxy's page</html>" },
    { status: 200, body: '{"text":"Incorrect index","code":7}' },
    "redirect" as const,
  ])("has not sent where the answer is %p", async (failure) => {
    peer.fail(failure);
    await expect(sink().send(many(1))).rejects.toThrow("Splunk answers with");
    expect(peer.events).toEqual([]);
    await sink().send(many(1));
    expect(peer.events).toHaveLength(1);
  });

  test("has not sent with a wrong token, which the error does not quote", async () => {
    await expect(sink({ token: "wrong-secret" }).send(many(1))).rejects.toThrow("Splunk answers with 403 (code 4)");
  });

  test("gives up on a server that does not answer", async () => {
    peer.fail("hang");
    await expect(sink({ timeoutMs: 100 }).send(many(1))).rejects.toThrow();
  });
});
