import { join } from "node:path";
import { parseArgs } from "node:util";
import { DELETION_DIFFICULTIES, SECOND_STEPS } from "../shared/services.ts";

const TO = join(import.meta.dirname, "../breaches/adapters/services");
const USAGE = `Fetches the directories of services anew and writes the snapshots in src/breaches/adapters/services.

  bun run refresh-directories                    all of them
  bun run refresh-directories --only deletions   one: deletions, second_steps, passkeys, companies or authorities`;

/** `domains` or `countries` are what it is found by. */
type Row = { domains?: string[]; countries?: string[]; [field: string]: unknown };
type Files = ReadonlyMap<string, string>;
type Source = { repository: string; name: string; licence: string; glob: string; read: (files: Files) => Row[] };

const known = <Value extends string>(values: readonly Value[], given: unknown): given is Value =>
  values.some((value) => value === given);
const https = (url: unknown) => (typeof url === "string" && url.startsWith("https://") ? { url } : {});

/** Host names in lower case; a directory may add a path to them by mistake. */
function domainsOf(...given: unknown[]): string[] {
  const names = given.flat().map((name) => String(name).toLowerCase().replace(/\/.*$/, ""));
  return [...new Set(names.filter((name) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(name)))];
}

function deletionsIn(files: Files): Row[] {
  const sites = [...files.values()].flatMap((text) => JSON.parse(text) as Record<string, unknown>[]);
  return sites.flatMap(({ domains, difficulty, url, email }) => {
    if (!known(DELETION_DIFFICULTIES, difficulty)) return [];
    const contact = typeof email === "string" ? { email } : {};
    return { domains: domainsOf(domains ?? []), difficulty, ...https(url), ...contact };
  });
}

/** Both directories of 2factorauth keep one file per service, with its name as the only key. */
function servicesIn(files: Files): Record<string, unknown>[] {
  return [...files.values()].flatMap((text) =>
    Object.values(JSON.parse(text) as Record<string, Record<string, unknown>>),
  );
}

const domainsIn = (service: Record<string, unknown>) => domainsOf(service.domain, service["additional-domains"] ?? []);

function secondStepsIn(files: Files): Row[] {
  return servicesIn(files).map((service) => ({
    domains: domainsIn(service),
    kinds: [service.tfa ?? []].flat().filter((kind) => known(SECOND_STEPS, kind)),
    ...https(service.documentation),
  }));
}

function passkeysIn(files: Files): Row[] {
  return servicesIn(files)
    .filter(({ mfa, passwordless }) => mfa !== undefined || passwordless !== undefined)
    .map((service) => ({
      domains: domainsIn(service),
      signsIn: service.passwordless !== undefined,
      ...https(service.documentation),
    }));
}

/** Both directories of Datenanfragen.de keep one file per entry. */
function contactsIn(files: Files): Record<string, unknown>[] {
  return [...files.values()].map((text) => JSON.parse(text) as Record<string, unknown>);
}

function contactOf({ name, address, email, webform, ...contact }: Record<string, unknown>, language: unknown): Row {
  return {
    ...{ name, address, countries: [contact["relevant-countries"] ?? []].flat().map(String) },
    ...(typeof email === "string" && { email }),
    ...(https(webform).url && { webform }),
    ...(typeof language === "string" && { language }),
  };
}

function companiesIn(files: Files): Row[] {
  return contactsIn(files).map((company) => {
    const host = URL.parse(String(company.web))?.hostname.replace(/^www\./, "") ?? "";
    return { domains: domainsOf(host), ...contactOf(company, company["request-language"]) };
  });
}

function authoritiesIn(files: Files): Row[] {
  return contactsIn(files).map((authority) => ({
    ...contactOf(authority, authority["complaint-language"]),
    ...(https(authority.web).url && { website: authority.web }),
  }));
}

const MIT = "MIT, © 2factorauth and contributors";
const DATENANFRAGEN = { repository: "datenanfragen/data", name: "Datenanfragen.de", licence: "CC0 1.0" };
const SOURCES: Record<string, Source> = {
  deletions: {
    repository: "jdm-contrib/jdm",
    name: "JustDeleteMe",
    licence: "MIT, © Robb Lewis, The JDM Contrib Team and contributors",
    glob: "*/_data/sites.json",
    read: deletionsIn,
  },
  second_steps: {
    repository: "2factorauth/twofactorauth",
    name: "2FA Directory",
    licence: MIT,
    glob: "*/entries/*/*.json",
    read: secondStepsIn,
  },
  passkeys: {
    repository: "2factorauth/passkeys",
    name: "Passkeys Directory",
    licence: "CC BY 4.0, © 2factorauth and contributors",
    glob: "*/entries/*/*.json",
    read: passkeysIn,
  },
  companies: { ...DATENANFRAGEN, glob: "*/companies/*.json", read: companiesIn },
  authorities: { ...DATENANFRAGEN, glob: "*/supervisory-authorities/*.json", read: authoritiesIn },
};

async function fetched(url: string): Promise<Response> {
  const response = await fetch(url, {
    headers: { accept: "application/json, */*" },
    signal: AbortSignal.timeout(120_000),
  });
  if (!response.ok) throw new Error(`Cannot read ${url}: status ${response.status}`);
  return response;
}

/** A snapshot with one row per line, so that a refresh shows as a readable difference. */
function textOf(head: Record<string, string>, rows: Row[]): string {
  const lines = Object.entries(head).map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)},`);
  const sorted = rows
    .filter(({ domains, countries = [] }) => (domains ?? countries).length > 0)
    .map((row) => JSON.stringify(row))
    .toSorted();
  return `{\n${lines.join("\n")}\n"rows": [\n${sorted.join(",\n")}\n]}\n`;
}

type Hosts = { api: string; archives: string };
const GITHUB: Hosts = { api: "https://api.github.com", archives: "https://codeload.github.com" };

/** Makes the snapshot of one directory from the newest commit of its repository. */
export async function snapshotOf(name: string, { api, archives }: Hosts = GITHUB): Promise<string> {
  const source = SOURCES[name];
  if (source === undefined) throw new Error(`There is no directory "${name}"`);
  const { repository, glob, read } = source;
  const commit = (await (await fetched(`${api}/repos/${repository}/commits/HEAD`)).json()) as {
    sha: string;
    commit: { committer: { date: string } };
  };
  const archive = new Bun.Archive(await (await fetched(`${archives}/${repository}/tar.gz/${commit.sha}`)).bytes());
  const files = new Map<string, string>();
  for (const [path, file] of await archive.files(glob)) files.set(path, await file.text());
  const rows = read(files);
  if (rows.length === 0) throw new Error(`Cannot find the entries of ${source.name}: its repository has changed`);
  const head = {
    from: `${source.name}, github.com/${repository}`,
    commit: commit.sha.slice(0, 7),
    date: commit.commit.committer.date.slice(0, 10),
    licence: source.licence,
  };
  return textOf(head, rows);
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { only: { type: "string" }, help: { type: "boolean" } } });
  if (values.help) {
    console.log(USAGE);
    process.exit();
  }
  for (const name of values.only === undefined ? Object.keys(SOURCES) : [values.only]) {
    console.log(`· ${name} …`);
    await Bun.write(join(TO, `${name}.json`), await snapshotOf(name));
  }
}
