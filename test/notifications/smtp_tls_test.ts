import { afterAll, afterEach, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Outcome } from "../../src/notifications/ports.ts";
import { LOOPBACK_AUTHORITY } from "../support/loopback_certificate.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";

/** A process of its own, as Bun reads NODE_EXTRA_CA_CERTS when it starts. */
const SEND = `
  import { smtpSender } from "./src/notifications/adapters/channels/email/email.ts";
  import { messageTo, SERVER } from "./test/notifications/sample_mail.ts";
  const sender = smtpSender({ ...SERVER, url: process.argv[1] });
  console.log(JSON.stringify(await sender.send(messageTo("alice@home.example"))));
  await sender.close();
  process.exit();
`;
/** Loopback, but not by a name for which plain text would do. */
const ELSEWHERE = "[::ffff:127.0.0.1]";

const folder = mkdtempSync(join(tmpdir(), "breachbell-authority-"));
const authority = join(folder, "authority.pem");
beforeAll(() => writeFileSync(authority, LOOPBACK_AUTHORITY));
afterAll(() => rmSync(folder, { recursive: true }));
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

async function send(url: string, env: Record<string, string>): Promise<Outcome> {
  const sending = Bun.spawn([process.execPath, "--no-env-file", "-e", SEND, url], {
    cwd: join(import.meta.dirname, "../.."),
    env: { PATH: process.env.PATH ?? "", ...env },
  });
  return JSON.parse(await new Response(sending.stdout).text());
}

describe.each([
  ["immediately", "smtps"],
  ["by STARTTLS", "smtp"],
] as const)("A mail server of a private authority, with TLS %s", (tls, scheme) => {
  async function peerAt(host: string) {
    const peer = await startSmtpPeer({ tls });
    cleanUps.push(peer.close);
    return { peer, url: `${scheme}://${host}:${new URL(peer.url).port}` };
  }
  const TRUSTED = { NODE_EXTRA_CA_CERTS: authority };

  test("gets mails once NODE_EXTRA_CA_CERTS names its authority, by the name in its certificate", async () => {
    const { peer, url } = await peerAt(ELSEWHERE);
    expect(await send(`${url}?servername=hooks.example`, TRUSTED)).toMatchObject({ kind: "delivered" });
    expect(peer.received).toHaveLength(1);
  });

  test("gets none without its authority, or under another name", async () => {
    const { peer, url } = await peerAt(ELSEWHERE);
    const refused = [
      await send(`${url}?servername=hooks.example`, {}),
      await send(`${url}?servername=elsewhere.example`, TRUSTED),
      await send(url, TRUSTED),
    ];
    for (const outcome of refused) expect(outcome).toMatchObject({ kind: "retry", scope: "channel" });
    expect(refused.map((outcome) => ("reason" in outcome ? outcome.reason : ""))).toEqual([
      expect.stringContaining("UNABLE_TO_VERIFY_LEAF_SIGNATURE"),
      expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
      expect.stringContaining("ERR_TLS_CERT_ALTNAME_INVALID"),
    ]);
    expect(peer.received).toEqual([]);
  });
});
