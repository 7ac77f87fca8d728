import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig, SECRETS, settingsSchema } from "../../src/config/config.ts";
import { lacks } from "../support/tools.ts";
import { configOf, dockerfile, ROOT } from "./dockerfile.ts";

type Service = {
  image: string;
  restart: string;
  environment: Record<string, string>;
  secrets: string[];
  volumes: string[];
  healthcheck?: { test: string[] };
  depends_on?: Record<string, { condition: string }>;
  stop_grace_period?: string;
  env_file?: string;
  ports?: string[];
  read_only?: boolean;
  tmpfs?: string[];
};
type Compose = {
  services: Record<"breachbell" | "database", Service>;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
};

const image = configOf(dockerfile());
const deployment = readFileSync(join(ROOT, "docs/deploy.md"), "utf8");
const [, idle = ""] = /KEPT_SECONDS = (\d+)/.exec(readFileSync(join(ROOT, "src/serve.ts"), "utf8")) ?? [];
const KNOWN = Object.keys(settingsSchema.entries);
const isKnown = (name: string) =>
  KNOWN.includes(name) || SECRETS.some((secret) => name === `${secret}_FILE` && KNOWN.includes(secret));

/** The contents of the secrets; for the three URLs, as described by the comments next to them. */
const VALUES: Record<string, string> = {
  app_secret: "jXv0pD3v7Qn0mC4W8i5yq2ZtK1sB6uEhR9aLfGx+TdM=",
  hibp_api_key: "00000000000000000000000000000000",
};

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const composeOf = (path: string) => Bun.YAML.parse(read(path)) as Compose;

describe("the documented docker run", () => {
  const [, command = ""] = /^(docker run (?:[^\n]*\\\n)*[^\n]*)$/m.exec(deployment) ?? [];
  const given = Object.fromEntries([...command.matchAll(/-e (\w+)=(\S+)/g)].map(([, name, value]) => [name, value]));

  test("sets everything required in production, and no unknown setting", () => {
    expect(loadConfig({ ...image.env, ...given }, () => "")).toMatchObject({ ok: true });
    expect(Object.keys(given).filter((name) => !isKnown(name))).toEqual([]);
  });

  test("sets nothing that is not required", () => {
    expect(Object.keys(given).length).toBeGreaterThan(5);
    for (const name of Object.keys(given)) {
      expect({ name, ok: loadConfig({ ...image.env, ...given, [name]: "" }, () => "").ok }).toEqual({
        name,
        ok: false,
      });
    }
  });

  test("gives work in progress the time that it may take", () => {
    const [, seconds] = /--stop-timeout (\d+)/.exec(command) ?? [];
    expect(`${seconds}s`).toBe(composeOf("compose.yaml").services.breachbell.stop_grace_period ?? "");
  });

  test("mounts the volume where the image has its data, and publishes the port that it listens on", () => {
    expect(command).toContain(`-v breachbell:${image.volumes[0]} `);
    expect(command).toContain(`-p 127.0.0.1:3000:${image.env.PORT} `);
  });
});

describe("compose.postgres.yaml", () => {
  const file = "compose.postgres.yaml";
  const compose = composeOf(file);
  const { breachbell, database } = compose.services;

  function hinted(name: string): string {
    const [, hint] = new RegExp(`/run/secrets/${name} # (.*)$`, "m").exec(read(file)) ?? [];
    return (VALUES[name] ?? hint ?? "").replace("<password>", "s3cret");
  }

  test("is a configuration that starts", () => {
    const asked: string[] = [];
    const loaded = loadConfig({ ...image.env, ...breachbell.environment }, (path) => {
      const name = path.replace("/run/secrets/", "");
      asked.push(name);
      return `${hinted(name)}\n`;
    });
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    expect(loaded.config.database).toEqual({ kind: "server", url: "postgres://breachbell:s3cret@database/breachbell" });
    expect(loaded.config).toMatchObject({ production: true, billing: "off", sources: [{ kind: "hibp" }] });
    expect(asked.sort()).toEqual([...breachbell.secrets].sort());
    expect(Object.keys(breachbell.environment).filter((name) => !isKnown(name))).toEqual([]);
  });

  test("has each of its secrets from the documented commands, and starts with them", () => {
    const [, commands = ""] = /```sh\n(mkdir -m 700 secrets\n[\s\S]*?)docker compose/.exec(deployment) ?? [];
    const folder = mkdtempSync(join(tmpdir(), "breachbell-secrets-"));
    try {
      const { exitCode, stderr } = Bun.spawnSync(["sh", "-e", "-c", commands], { cwd: folder });
      expect([exitCode, stderr.toString()]).toEqual([0, ""]);
      expect(readdirSync(join(folder, "secrets")).sort()).toEqual(Object.keys(compose.secrets).sort());
      const secret = (name: string) => readFileSync(join(folder, "secrets", name), "utf8");
      const loaded = loadConfig({ ...image.env, ...breachbell.environment }, (path) => {
        const name = path.replace("/run/secrets/", "");
        return name === "hibp_api_key" ? (VALUES[name] ?? "") : secret(name);
      });
      if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
      const url = `postgres://breachbell:${secret("database_password").trim()}@database/breachbell`;
      expect(loaded.config.database).toEqual({ kind: "server", url });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("puts no secret where it can be read, and declares every one it uses", () => {
    for (const secret of SECRETS) expect(Object.keys(breachbell.environment)).not.toContain(secret);
    const used = Object.values(compose.services).flatMap(({ secrets }) => secrets);
    expect(Object.keys(compose.secrets).sort()).toEqual([...new Set(used)].sort());
    for (const service of Object.values(compose.services)) {
      const files = Object.values(service.environment).filter((value) => value.startsWith("/run/secrets/"));
      expect(files.map((path) => path.replace("/run/secrets/", "")).sort()).toEqual([...service.secrets].sort());
    }
  });

  test("keeps data in named volumes, restarts automatically, and waits for a healthy database", () => {
    const volumes = Object.values(compose.services).flatMap((service) => service.volumes);
    expect(volumes.map((volume) => volume.split(":")[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
    for (const { restart } of Object.values(compose.services)) expect(restart).toBe("unless-stopped");
    expect(breachbell.depends_on).toEqual({ database: { condition: "service_healthy" } });
    expect(database.healthcheck?.test[0]).toBe("CMD");
    // Its own health check comes with the image.
    expect(image.healthcheck).not.toEqual([]);
    expect(breachbell).toMatchObject({ read_only: true, tmpfs: ["/tmp"], stop_grace_period: "30s" });
    expect(breachbell.volumes).toEqual([`data:${image.volumes[0]}`]);
    expect(breachbell.ports?.[0]).toEndWith(`:${image.env.PORT}`);
  });
});

describe("compose.yaml", () => {
  const { services, volumes } = composeOf("compose.yaml");
  const { breachbell } = services;
  /** As Compose fills in `${NAME:-standard}` where .env does not have the name. */
  const standard = (value: string) => value.replaceAll(/\$\{\w+:-([^}]*)\}/g, "$1");
  const set = Object.fromEntries(
    Object.entries(breachbell.environment).map(([name, value]) => [name, standard(value)]),
  );
  const example = Object.fromEntries(
    [...read(".env.example").matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name = "", value = ""]) => [name, value]),
  );

  test("starts with .env.example filled in, whose folder and port are not those of the container", () => {
    const chosen = { APP_SECRET: VALUES.app_secret, PUBLIC_URL: "https://breachbell.example.org" };
    const loaded = loadConfig(
      { ...image.env, ...example, ...chosen, SUPPORT_EMAIL: "help@example.org", ...set },
      () => "",
    );
    if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
    expect(loaded.config).toMatchObject({ production: true, database: { kind: "embedded" }, dataDir: "/data" });
    expect(breachbell.env_file).toBe(".env");
    expect(Object.keys(set).filter((name) => !isKnown(name))).toEqual([]);
  });

  test("has the two lines that the steps for Portainer change, and what those for Coolify rely on", () => {
    const text = read("compose.yaml");
    for (const line of ["build: .", "env_file: .env"]) {
      expect(deployment).toContain(`\`${line}\``);
      expect(text.split("\n").filter((one) => one.trim() === line)).toHaveLength(1);
    }
    expect(breachbell.environment.TRUST_PROXY).toStartWith("${TRUST_PROXY:-");
    expect(deployment).toContain(`https://breachbell.example.org:${image.env.PORT}\``);
  });

  test("has the same container as compose.postgres.yaml", () => {
    const { ports, volumes: mounted, env_file: _, environment: __, ...hardened } = breachbell;
    expect(composeOf("compose.postgres.yaml").services.breachbell).toMatchObject(hardened);
    expect(ports?.map(standard)).toEqual([`127.0.0.1:3000:${image.env.PORT}`]);
    expect(mounted).toEqual([`data:${image.volumes[0]}`]);
    expect(Object.keys(volumes)).toEqual(["data"]);
  });
});

describe("breachbell.service", () => {
  const unit = read("docs/deploy/breachbell.service");
  const settings = Object.fromEntries(
    [...(/^Environment=(.*)$/m.exec(unit)?.[1] ?? "").matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]),
  );

  test("starts what `bun start` starts, with its data in the folder that systemd makes for it", () => {
    const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
    const [, main = ""] = /exec bun (\S+)$/.exec(scripts.start) ?? [];
    expect(unit).toMatch(new RegExp(`^ExecStart=/usr/local/bin/bun --no-env-file ${main}$`, "m"));
    expect(settings).toMatchObject({ NODE_ENV: "production", DATA_DIR: "/var/lib/breachbell" });
    expect(unit).toContain("\nStateDirectory=breachbell\n");
  });

  test("gives work in progress the time that it may take", () => {
    const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
    expect(`${seconds}s`).toBe(composeOf("compose.yaml").services.breachbell.stop_grace_period ?? "");
  });

  test.skipIf(lacks("systemd-analyze"))("is a unit that systemd accepts, with few rights", async () => {
    const folder = mkdtempSync(join(tmpdir(), "breachbell-unit-"));
    const file = join(folder, "breachbell.service");
    writeFileSync(file, unit.replaceAll("/usr/local/bin/bun", process.execPath));
    const analyze = (...words: string[]) => Bun.spawnSync(["systemd-analyze", ...words, file]);
    const verified = analyze("verify");
    const rated = analyze("security", "--offline=true");
    rmSync(folder, { recursive: true });
    expect(verified.stderr.toString()).toBe("");
    const [, exposure] = /exposure level for \S+: ([\d.]+)/.exec(rated.stdout.toString()) ?? [];
    expect(Number(exposure)).toBeLessThan(2);
  });
});

describe("the sample proxies", () => {
  const compose = composeOf("compose.postgres.yaml");
  const { host } = new URL(compose.services.breachbell.environment.PUBLIC_URL ?? "");
  const published = compose.services.breachbell.ports?.[0]?.replace(/:\d+$/, "") ?? "";
  const FILES = {
    Caddy: ["Caddyfile"],
    nginx: ["nginx.conf"],
    Traefik: ["traefik.yaml", "traefik.breachbell.yaml"],
  };
  const sample = (name: string) => FILES[name as keyof typeof FILES].map((file) => read(`docs/deploy/${file}`));

  test.each(["Caddy", "nginx", "Traefik"])(
    "%s responds for the public URL and forwards to the published port",
    (name) => {
      const text = sample(name).join("\n");
      expect(text).toContain(host);
      expect(text).toContain(published);
    },
  );

  test("the server keeps idle connections for as long as the document says", () => {
    expect(deployment).toContain(`keeps idle connections open for ${idle} seconds`);
  });

  // A connection that a proxy keeps longer than the server is closed during its next request.
  test.each(["Caddy", "nginx", "Traefik"])("%s closes idle connections before the server does", (name) => {
    const seconds = /(?:keepalive|keepalive_timeout|idleConnTimeout:) (\d+)s/.exec(sample(name).join("\n"))?.[1];
    expect(Number(seconds)).toBeGreaterThanOrEqual(10);
    expect(Number(seconds)).toBeLessThan(Number(idle));
  });

  test("nginx overwrites the client's address headers, and accepts the largest body", () => {
    const [nginx = ""] = sample("nginx");
    expect(nginx).toContain("proxy_set_header X-Forwarded-For $remote_addr;");
    expect(nginx).toContain("client_max_body_size 2m;");
    expect(nginx.split("{").length).toBe(nginx.split("}").length);
  });

  test("Traefik's two files are valid, and check whether the process is ready", () => {
    const [, routes = ""] = sample("Traefik");
    for (const text of sample("Traefik")) expect(Bun.YAML.parse(text)).toBeObject();
    expect(Bun.YAML.parse(routes)).toMatchObject({
      http: { services: { breachbell: { loadBalancer: { healthCheck: { path: "/readyz" } } } } },
    });
  });
});
