import { afterEach, describe, expect, test } from "bun:test";
import { SPLUNK_TOKEN, splunkPeer } from "../support/splunk_peer.ts";
import { syslogPeer } from "../support/syslog_peer.ts";
import { settle, signedUp } from "../support/world.ts";
import { afterwards, bench, closeAll, findings } from "./doctor_bench.ts";
import { openedOffice } from "./office.ts";

const ADA = "ada@breachbell.example";

afterEach(closeAll);

describe("breachbell events", () => {
  test("prints one JSON document per line, and goes on behind a cursor", async () => {
    const { type, product } = openedOffice();
    await signedUp(product, ADA);
    for (const action of ["lock", "unlock", "lock"]) await type("users", action, ADA);
    await settle(product);
    const all = await type("events");
    const lines = all.shown.map((piece) => (piece.kind === "text" ? JSON.parse(piece.text) : undefined));
    expect(lines.map(({ act }) => act)).toEqual(["account_locked", "account_unlocked", "account_locked"]);
    expect(all.data).toEqual({ events: lines });
    expect(JSON.stringify(lines)).not.toContain(ADA);
    const [first] = lines;
    expect((await type("events", "--after", first.cursor)).data).toEqual({ events: lines.slice(1) });
    expect((await type("events", "--limit", "2")).data).toEqual({ events: lines.slice(0, 2) });
  });

  test("has what the command line itself records, once", async () => {
    const { type, acts } = openedOffice();
    await type("maintenance", "on");
    await type("maintenance", "off");
    const { events } = (await type("events")).data as { events: { act: string; by: string; object: string }[] };
    expect(events).toMatchObject([
      { act: "maintenance_started", by: "command_line", object: "installation", account: null },
      { act: "maintenance_ended", by: "command_line", object: "installation", account: null },
    ]);
    expect((await acts()).toReversed()).toEqual(events.map(({ by, act }) => `${by}: ${act}`));
  });

  test("refuses what is no cursor", async () => {
    const { type } = openedOffice();
    expect(await type("events", "--after", "../x")).toMatchObject({ code: 2, error: { code: "USAGE" } });
  });
});

describe("doctor's check of the destinations of events", () => {
  test("finds nothing where none is set up", async () => {
    expect((await findings("events", bench())).list).toEqual([]);
  });

  test("Splunk: the connection and the token, without sending an event", async () => {
    const peer = splunkPeer();
    afterwards(() => peer.stop());
    const room = (token: string) => bench({ EVENTS_SPLUNK_URL: peer.url, EVENTS_SPLUNK_TOKEN: token });
    expect((await findings("events", room(SPLUNK_TOKEN))).list).toEqual(["ok: Splunk answers and accepts the token"]);
    expect((await findings("events", room("another"))).list).toEqual(["fail: Splunk refuses the token (code 4)"]);
    peer.fail({ status: 503, body: "" });
    expect((await findings("events", room(SPLUNK_TOKEN))).list).toEqual(["fail: Splunk answers with 503"]);
    const gone = bench({ EVENTS_SPLUNK_URL: "http://127.0.0.1:1", EVENTS_SPLUNK_TOKEN: "t" });
    expect((await findings("events", gone)).list[0]).toStartWith("fail: Splunk cannot be reached");
    expect(peer.events).toEqual([]);
  });

  test("syslog: a certificate that is not trusted, and a server that is not there", async () => {
    const peer = await syslogPeer();
    afterwards(() => peer.stop());
    for (const port of [peer.port, 1]) {
      const room = bench({ EVENTS_SYSLOG_URL: `tls://127.0.0.1:${port}` });
      expect((await findings("events", room)).list[0]).toStartWith("fail: The syslog server cannot be reached");
    }
    expect(peer.messages).toEqual([]);
  });
});
