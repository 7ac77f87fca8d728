import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { VERSION } from "../../src/shared/product.ts";
import { eventually } from "../e2e/product.ts";
import { freePort } from "../support/ports.ts";
import { createDatabase, sharedPostgresUrl } from "../support/postgres_server.ts";
import { type SmtpPeer, startSmtpPeer } from "../support/smtp_peer.ts";
import { type Box, startBox } from "./box.ts";
import { type Image, imageForTests, isSkipped } from "./image.ts";
import { roomFor } from "./stand_in.ts";

const EMAIL = "ada@example.com";
const WRONG = /EROFS|EACCES|ENOENT|"level":"error"/;
const PASSWORD = "correct Horse 7 battery";

type Examined = { data: { findings: { area: string; state: string }[] } };

describe.skipIf(isSkipped("the container's image is not started"))("the container's image", () => {
  let room = "";
  let url = "";
  let image: Image;
  let mail: SmtpPeer;
  let env: Record<string, string>;
  let box: Box;
  let cookie = "";

  /** A new volume gets owner and permissions from the folder in the image. */
  function start(volume: string, given: Record<string, string>, command?: string[]): Box {
    const { uid, gid, mode } = statSync(join(image.root, "data"));
    mkdirSync(join(room, volume), { recursive: true });
    chownSync(join(room, volume), uid, gid);
    chmodSync(join(room, volume), mode);
    return startBox({ ...image, volume: join(room, volume), env: given, ...(command && { command }) });
  }

  const ready = (started: Box) =>
    eventually("the server is ready", async () => {
      if (started.hasEnded()) throw new Error(started.said());
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      const isApp = !answer?.headers.get("Content-Type")?.includes("html");
      return answer?.ok && isApp ? true : undefined;
    });

  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json", Origin: url, Cookie: cookie },
      body: JSON.stringify(body),
    });

  beforeAll(async () => {
    room = roomFor("volume");
    image = imageForTests();
    const port = await freePort();
    url = `http://localhost:${port}`;
    mail = await startSmtpPeer();
    env = {
      PORT: String(port),
      PUBLIC_URL: url,
      DATABASE_URL: "embedded",
      SMTP_URL: mail.url,
      MAIL_FROM: "breachbell@example.com",
      BREACH_SOURCE: "bundled",
      BILLING: "off",
      SUPPORT_EMAIL: "help@example.com",
    };
    box = start("life", env);
    await ready(box);
  });

  afterAll(async () => {
    box?.signal("SIGKILL");
    await box?.exited;
    await mail?.close();
    image?.remove();
    if (room !== "") rmSync(room, { recursive: true, force: true });
  });

  test("refuses to start without a configuration, and names everything missing together", async () => {
    const refused = start("refused", {});
    expect(await refused.exited).toBe(1);
    for (const name of ["PUBLIC_URL", "DATABASE_URL", "SMTP_URL", "BREACH_SOURCE", "BILLING", "SUPPORT_EMAIL"])
      expect(refused.said()).toContain(`- ${name} is missing: `);
    expect(existsSync(join(room, "refused/pgdata"))).toBe(false);
  });

  test("runs as user 1000 and PID 1, without capabilities", () => {
    const status = readFileSync(`/proc/${box.pid()}/status`, "utf8");
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^Gid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);
  });

  test("reports by its health check whether it is ready, without a shell", async () => {
    expect(await box.exec(image.config.healthcheck)).toEqual({ code: 0, said: "" });
    expect((await box.exec(image.config.healthcheck, { PORT: "9" })).code).toBe(1);
  });

  test("can only write into /data and /tmp", async () => {
    const script = `
      const { readdirSync, rmSync, writeFileSync } = await import("node:fs");
      const walk = (folder) => ["proc", "sys", "dev"].includes(folder.split("/")[1]) ? [] : [folder || "/", ...readdirSync(folder || "/", { withFileTypes: true })
        .filter((entry) => entry.isDirectory()).flatMap(({ name }) => { try { return walk(folder + "/" + name); } catch { return []; } })];
      const can = (folder) => { try { writeFileSync(folder + "/.probe", ""); rmSync(folder + "/.probe"); return true; } catch { return false; } };
      console.log(JSON.stringify([...new Set(walk("").filter(can).map((folder) => folder.split("/")[1]))].sort()));`;
    expect(await box.exec(["/usr/local/bin/bun", "-e", script])).toEqual({ code: 0, said: '["data","tmp"]\n' });
  });

  test("creates an account, which survives kill -9 with everything else on the volume", async () => {
    await open(EMAIL);
    expect(await level()).toBe("authenticated");
    box.signal("SIGKILL");
    expect(await box.exited).not.toBe(0);
    box = start("life", env);
    await ready(box);
    expect(await level()).toBe("authenticated");
  });

  /** Registers and logs in; the following requests use this session. */
  async function open(email: string): Promise<void> {
    const names = { firstName: "Ada", lastName: "Byron", language: "en", terms: true };
    const passwords = { password: PASSWORD, confirmPassword: PASSWORD };
    expect((await post("/api/register", { ...names, email, ...passwords })).status).toBe(201);
    const known = mail.received.length;
    const first = await post("/api/login", { email, password: PASSWORD });
    cookie = first.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
    const code = await eventually("the code is mailed", () =>
      mail.received
        .slice(known)
        .map(({ mail: { text } }) => /\b\d{6}\b/.exec(text ?? "")?.[0])
        .find((found) => found),
    );
    const second = await post("/api/verify-code", { code });
    expect(second.status).toBe(200);
    cookie = second.headers
      .getSetCookie()
      .map((set) => set.split(";")[0])
      .join("; ");
  }

  async function secondsToEnd(running: Box): Promise<number> {
    const asked = performance.now();
    running.signal("SIGTERM");
    expect(await running.exited).toBe(0);
    return (performance.now() - asked) / 1000;
  }

  async function level(): Promise<string> {
    const answer = await fetch(`${url}/api/check-user-authentication/`, { headers: { Cookie: cookie } });
    return ((await answer.json()) as { auth_level: string }).auth_level;
  }

  test("contains the operator's command line", async () => {
    expect((await box.exec(["/usr/local/bin/breachbell", "version"])).said).toContain(VERSION);
    const { code, said } = await box.exec(["/usr/local/bin/breachbell", "users", "--json"]);
    expect({ code, said }).toMatchObject({ code: 0, said: expect.stringContaining(EMAIL) });
    const doctor = JSON.parse((await box.exec(["breachbell", "doctor", "--json"])).said) as Examined;
    const ofTheContainer = doctor.data.findings.filter(({ area }) => ["database", "data", "secret"].includes(area));
    expect(ofTheContainer.length).toBeGreaterThan(4);
    expect(ofTheContainer.filter(({ state }) => state !== "ok")).toEqual([]);
    // Without a server, as `docker run … breachbell config` does.
    const alone = start("alone", env, ["breachbell", "config", "--json"]);
    expect(await alone.exited).toBe(0);
    expect(JSON.parse(alone.said())).toMatchObject({ ok: true, command: "config" });
  });

  test("serves the web app and logs no errors", async () => {
    const page = await (await fetch(`${url}/en/login`)).text();
    const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1];
    expect((await fetch(`${url}${script}`)).headers.get("Content-Type")).toContain("javascript");
    expect((await fetch(`${url}/api/openapi.json`)).status).toBe(200);
    expect(box.said()).not.toMatch(WRONG);
  });

  test("ends on SIGTERM with 0 within 30 seconds", async () => {
    expect(await secondsToEnd(box)).toBeLessThan(30);
  });

  test("handles SIGTERM while it is still starting", async () => {
    const early = start("early", env);
    await eventually("the data directory is taken", () => existsSync(join(room, "early/breachbell.lock")) || undefined);
    expect(await secondsToEnd(early)).toBeLessThan(10);
  });

  test("also runs on a Postgres server", async () => {
    const database = await createDatabase(await sharedPostgresUrl());
    box = start("server", { ...env, DATABASE_URL: database, APP_SECRET: "s".repeat(32) });
    await ready(box);
    await open(EMAIL);
    expect(await secondsToEnd(box)).toBeLessThan(30);
    expect(box.said()).not.toMatch(WRONG);
    expect(readdirSync(join(room, "server")).filter((name) => name === "pgdata")).toEqual([]);
  });
});
