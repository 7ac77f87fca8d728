import { afterEach, describe, expect, test } from "bun:test";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Hono } from "hono";
import { recordSecret } from "../../src/backup/secret_of_data.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { mendOf } from "../../src/cli/doctor_mail.ts";
import { strengthOf } from "../../src/cli/doctor_secret.ts";
import { parse } from "../../src/cli/parse.ts";
import { databaseUnavailable } from "../../src/database/errors.ts";
import type { Database } from "../../src/database/postgres.ts";
import { clientIp, isTrusted, trustedProxies } from "../../src/http/client_ip.ts";
import { doctorRoute } from "../../src/http/doctor_route.ts";
import type { HttpEnv } from "../../src/http/session.ts";
import { keysOf, newToken } from "../../src/runtime/crypto.ts";
import { emptyPglite } from "../support/postgres.ts";
import { startSmtpPeer } from "../support/smtp_peer.ts";
import { afterwards, bench, closeAll, dataDir, findings, mac, peer, SECRET } from "./doctor_bench.ts";

afterEach(closeAll);

describe("doctor's database checks", () => {
  test("a healthy one: version, size, clock, migrations, a write that leaves nothing", async () => {
    const database = await emptyPglite();
    const plain = database.transactionOf((tx: Database) => tx);
    const { code, list } = await findings("database", bench({}, { database: async () => plain }));
    expect(code).toBe(0);
    expect(list[0]).toMatch(/^ok: Embedded, Postgres \d/);
    // However slowly a busy machine responds.
    expect(list.filter((line) => line !== "warn: It answers slowly").slice(1)).toEqual([
      expect.stringMatching(/^ok: Its clock and this host's are \d+ ms apart/),
      expect.stringMatching(/^ok: All \d+ migrations are applied/),
      "ok: It accepts writes",
    ]);
  });

  test("one that cannot be reached, without the password of its URL", async () => {
    const database = () => Promise.reject(databaseUnavailable("Cannot use the Postgres server: nobody listens"));
    const room = bench({ DATABASE_URL: "postgres://u:canary@127.0.0.1:1/x" }, { database });
    const { code, list } = await findings("database", room);
    expect([code, list]).toEqual([1, ["fail: Cannot use the Postgres server: nobody listens"]]);
  });

  test("jobs: none has run, they have stopped, one has failed", async () => {
    const plain = (await emptyPglite()).transactionOf((tx: Database) => tx);
    const room = bench({}, { database: async () => plain });
    expect((await findings("jobs", room)).list).toEqual(["warn: No job has run yet", "ok: 0 messages due"]);
    const run = async (name: string, minutes: number, failed: string) =>
      plain((tx) =>
        tx.execute(
          `insert into operations.job_run values ('${name}', now() - interval '${minutes} minutes', ${failed})`,
        ),
      );
    await run("clock", 10, "null");
    expect((await findings("jobs", room)).list[0]).toBe("fail: No job has run for 10 minutes");
    await run("deliver", 0, "now()");
    expect((await findings("jobs", room)).list[0]).toBe("warn: Failed at the last run: deliver");
  });
});

describe("doctor's checks of this machine", () => {
  test("the data directory: writable, with free space, owned, and not open to all", async () => {
    chmodSync(dataDir, 0o700);
    expect((await findings("data", bench())).list.map((line) => line.split(":")[0])).toContain("ok");
    chmodSync(dataDir, 0o755);
    expect((await findings("data", bench())).list).toContain("warn: Everyone on this machine can read it (mode 755)");
    chmodSync(dataDir, 0o700);
    expect((await findings("data", bench({ DATA_DIR: join(dataDir, "none") }))).list[0]).toContain(
      "fail: There is no installation in",
    );
    const away = { DATA_DIR: join(dataDir, "none"), DATABASE_URL: "postgres://u:canary@db.example/x" };
    expect((await findings("data", bench(away))).list).toEqual(["ok: The data is on the database server"]);
  });

  test("the secret: strong, repeated, readable by others", async () => {
    expect((await findings("secret", bench())).list).toEqual(["ok: APP_SECRET is strong"]);
    const weak = await findings("secret", bench({ APP_SECRET: "abc".repeat(15) }));
    expect([weak.code, weak.list]).toEqual([1, ["fail: APP_SECRET can be guessed: it repeats itself"]]);
    expect(weak.all[0]?.mend).toBe("Set APP_SECRET to the output of: openssl rand -base64 32");
    writeFileSync(join(dataDir, "secret.key"), `${SECRET}\n`);
    chmodSync(join(dataDir, "secret.key"), 0o644);
    expect((await findings("secret", bench({ APP_SECRET: "" }))).list).toContain(
      "fail: Others on this machine can read it",
    );
    chmodSync(join(dataDir, "secret.key"), 0o600);
    expect(strengthOf("a".repeat(40))).toBe(0);
    expect(strengthOf(SECRET)).toBeGreaterThan(128);
  });
});

describe("doctor's check of the secret of existing data", () => {
  test("the right one, another one, a missing one, and a weak one that stays", async () => {
    const plain = (await emptyPglite()).transactionOf((tx: Database) => tx);
    const on = (environment: Record<string, string>, more = {}) =>
      findings("secret", bench(environment, { database: async () => plain, ...more }));
    expect((await on({})).list).toEqual(["ok: APP_SECRET is strong"]);
    const weak = "abc".repeat(15);
    await plain((tx) => recordSecret(tx, keysOf(weak).mac, newToken));
    const other = await on({});
    expect([other.list, other.all[0]?.mend]).toEqual([
      ["fail: The database belongs to another secret"],
      "Set APP_SECRET to its former value",
    ]);
    const kept = await on({ APP_SECRET: weak }, { mac: keysOf(weak).mac });
    expect([kept.list, kept.all[0]?.mend]).toEqual([
      ["fail: APP_SECRET can be guessed: it repeats itself"],
      expect.stringMatching(/^An installation keeps its secret: set up a new one, /),
    ]);
    const empty = join(dataDir, "empty");
    const missing = await on({ APP_SECRET: "", DATA_DIR: empty });
    expect([missing.list, missing.all[0]?.mend]).toEqual([
      ["fail: There is data, but its secret is missing"],
      `Restore "${empty}/secret.key" from your copy, or set APP_SECRET to its content`,
    ]);
  });
});

describe("doctor's checks of the public URL", () => {
  const serve = (secret: string, headers: Record<string, string> = {}, trusted: string[] = []) => {
    const [proxies, ip] = [trustedProxies(trusted), "::ffff:127.0.0.1"];
    const app = new Hono<HttpEnv & { Bindings: { ip?: string } }>();
    app.use((c, next) => {
      c.set("clientIp", clientIp(c.env.ip ?? "", c.req.header("X-Forwarded-For"), proxies));
      return next();
    });
    app.route(
      "/",
      doctorRoute(keysOf(secret).mac, (address) => isTrusted(proxies, address)),
    );
    const server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: (request) => app.fetch(new Request(request, { headers }), { ip }),
    });
    afterwards(() => server.stop(true));
    return `http://127.0.0.1:${server.port}`;
  };

  test("leads here, elsewhere, or nowhere", async () => {
    expect((await findings("public", bench({ PUBLIC_URL: serve(SECRET) }))).list).toContain(
      "ok: It leads to this installation",
    );
    const elsewhere = await findings(
      "public",
      bench({ PUBLIC_URL: serve("another secret that is long enough to be one") }),
    );
    expect([elsewhere.code, elsewhere.list[1]]).toEqual([1, expect.stringContaining("leads to something else (404)")]);
    expect((await findings("public", bench({ PUBLIC_URL: "http://127.0.0.1:1" }))).list[1]).toContain(
      "nobody listens there",
    );
    const moved = await peer({ "/api/doctor": { status: 301, headers: { location: "/" } } });
    expect((await findings("public", bench({ PUBLIC_URL: moved }))).list[1]).toContain("redirects to another address");
  });

  test("an undeclared proxy makes everybody one visitor; a declared one without a header is reported", async () => {
    const behind = serve(SECRET, { "x-forwarded-for": "203.0.113.7" });
    expect((await findings("public", bench({ PUBLIC_URL: behind }))).list.at(-1)).toContain(
      "TRUST_PROXY does not name",
    );
    const silent = await findings("public", bench({ PUBLIC_URL: serve(SECRET), TRUST_PROXY: "10.0.0.0/8" }));
    expect(silent.list.at(-1)).toContain("requests arrive without X-Forwarded-For");
  });

  test("a proxy on this machine is known, also when PUBLIC_URL leads to this machine", async () => {
    const TRUST_PROXY = "loopback";
    const behind = serve(SECRET, { "x-forwarded-for": "127.0.0.1" }, [TRUST_PROXY]);
    expect((await findings("public", bench({ PUBLIC_URL: behind, TRUST_PROXY }))).list.at(-1)).toBe(
      "ok: TRUST_PROXY names the proxy",
    );
  });

  test("plain http except on this machine", async () => {
    const room = bench({ PUBLIC_URL: "http://breachbell.invalid", INSECURE_HTTP: "allow" });
    expect((await findings("public", room)).list[0]).toContain("is plain http");
  });
});

test("without the secret the doctor's route reveals nothing", async () => {
  const app = doctorRoute(mac, () => false);
  for (const query of [
    "",
    "?nonce=0123456789abcdef",
    "?nonce=0123456789abcdef&proof=x",
    `?nonce=short&proof=${mac("doctor asks", "short")}`,
  ])
    expect((await app.request(`/api/doctor${query}`)).status).toBe(404);
});

describe("doctor's mail checks", () => {
  test("a server that accepts us gets no mail; one that refuses or is down is reported without the password", async () => {
    const smtp = await startSmtpPeer({ password: "canary-password" });
    afterwards(() => smtp.close());
    const from = { MAIL_FROM: "Breachbell <alerts@breachbell.example>" };
    const well = await findings("mail", bench({ SMTP_URL: smtp.url, ...from }));
    expect(well.list[0]).toMatch(/^ok: .* lets us in/);
    expect(smtp.received).toEqual([]);
    const wrong = smtp.url.replace("canary-password", "canary-wrong");
    const refused = await findings("mail", bench({ SMTP_URL: wrong, ...from }));
    expect([refused.code, refused.list[0]]).toEqual([1, expect.stringContaining("refuses user or password")]);
    smtp.break({ at: "connect", does: "drop" });
    expect((await findings("mail", bench({ SMTP_URL: smtp.url, ...from }))).code).toBe(1);
  });

  test("the true cause is named: nothing listens, an unknown name, an unknown authority, a certificate for another name", async () => {
    const [open, tls] = [await startSmtpPeer(), await startSmtpPeer({ tls: "immediately" })];
    afterwards(() => tls.close());
    await open.close();
    const ask = async (url: string) => {
      const { list } = await findings("mail", bench({ SMTP_URL: url, MAIL_FROM: "alerts@breachbell.example" }));
      return list[0];
    };
    expect([
      await ask(open.url),
      await ask("smtp://mail.invalid:587"),
      await ask(tls.url.replace("smtp:", "smtps:")),
    ]).toEqual([
      "fail: The mail server refused the connection",
      "fail: The mail server's name cannot be resolved",
      "fail: The mail server's certificate is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)",
    ]);
    expect(mendOf({ code: "ERR_TLS_CERT_ALTNAME_INVALID" })).toEqual([
      "The mail server's certificate is for another name",
      expect.stringContaining("?servername="),
    ]);
    for (const code of ["EHOSTUNREACH", "ENETUNREACH"])
      expect(mendOf({ code })).toEqual(["No route leads to the mail server", expect.any(String)]);
    expect(mendOf({ code: "ETIMEDOUT" })).toEqual(["The mail server does not answer in time", expect.any(String)]);
  });

  test("a test mail is sent where --send-test says, and the mail server's answer is told", async () => {
    const smtp = await startSmtpPeer({ password: "canary-password" });
    afterwards(() => smtp.close());
    const from = { SMTP_URL: smtp.url, MAIL_FROM: "Breachbell <alerts@breachbell.example>" };
    const test = async () => (await findings("mail", bench(from), "--send-test", "Ada@Example.com")).list.at(-1);
    expect(await test()).toBe("ok: The mail server has accepted a test mail to ada@example.com (250 kept as 42)");
    expect(smtp.received).toMatchObject([{ to: ["ada@example.com"], mail: { subject: "Test mail from Breachbell" } }]);
    smtp.break({ at: "rcpt", does: { reply: 554, text: "5.7.1 Relay access denied" } });
    expect(await test()).toStartWith(
      "fail: A test mail to ada@example.com was not accepted: EENVELOPE RCPT TO 554 5.7.1",
    );
    smtp.break({ at: "accepted", does: "drop" });
    expect(await test()).toStartWith("fail: A test mail to ada@example.com was not accepted: ");
    expect(smtp.received).toHaveLength(2);
  });

  test("--send-test takes email addresses only", async () => {
    expect(parse(COMMANDS, ["doctor", "--send-test", "nobody"])).toMatchObject({ kind: "wrong" });
  });

  test("the local mailbox is fine for trying things out", async () => {
    expect((await findings("mail", bench())).list).toEqual([
      "warn: Emails stay in the local mailbox and are not delivered",
    ]);
  });
});
