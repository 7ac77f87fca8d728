import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LOOPBACK_AUTHORITY, LOOPBACK_CERTIFICATE, LOOPBACK_KEY } from "./support/loopback_certificate.ts";

/** How HTTP calls (`fetch`) and connections to mail servers and databases (`tls`) treat a peer. */
const CALLS = `
  import { connect } from "node:tls";
  const port = Number(process.argv[1]);
  const said = await fetch(\`https://localhost:\${port}\`).then((answer) => answer.text(), ({ code }) => code);
  const secured = await new Promise((resolve) => {
    const socket = connect({ host: "localhost", port, servername: "localhost" }, () => resolve(socket.authorized));
    socket.on("error", ({ code }) => resolve(code));
  });
  console.log(JSON.stringify([said, secured]));
  process.exit();
`;

describe("A private certificate authority, as docs/deploy.md has it", () => {
  const folder = mkdtempSync(join(tmpdir(), "breachbell-authority-"));
  const authority = join(folder, "authority.pem");
  let peer: Bun.Server<unknown>;

  beforeAll(() => {
    writeFileSync(authority, LOOPBACK_AUTHORITY);
    const tls = { key: LOOPBACK_KEY, cert: LOOPBACK_CERTIFICATE };
    peer = Bun.serve({ hostname: "127.0.0.1", port: 0, tls, fetch: () => new Response("hello") });
  });
  afterAll(async () => {
    await peer.stop(true);
    rmSync(folder, { recursive: true });
  });

  async function callsWith(env: Record<string, string>): Promise<unknown> {
    const calling = Bun.spawn([process.execPath, "--no-env-file", "-e", CALLS, String(peer.port)], {
      env: { PATH: process.env.PATH ?? "", ...env },
    });
    return JSON.parse(await new Response(calling.stdout).text());
  }

  test("is rejected unless NODE_EXTRA_CA_CERTS names it", async () => {
    expect(await callsWith({})).toEqual(["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "UNABLE_TO_VERIFY_LEAF_SIGNATURE"]);
  });

  test("is trusted by calls and by connections once NODE_EXTRA_CA_CERTS names it", async () => {
    expect(await callsWith({ NODE_EXTRA_CA_CERTS: authority })).toEqual(["hello", true]);
  });
});
