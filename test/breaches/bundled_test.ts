import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  bundledCatalogue,
  bundledFeed,
  EXAMPLE_ADDRESSES,
  FIRST_STATE,
  listedAt,
  STATE_FILE,
} from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { normaliseEmail } from "../../src/shared/email_address.ts";

let directory: string;
let stateFile: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "breachbell-bundled-"));
  stateFile = join(directory, STATE_FILE);
});

afterEach(() => rmSync(directory, { recursive: true }));

const publishUpTo = (published: unknown) => writeFileSync(stateFile, JSON.stringify({ published }));

async function found(address: string): Promise<string[]> {
  const lookup = await bundledFeed({ stateFile }).lookUp(address);
  if (lookup.kind !== "found") throw new Error(lookup.kind);
  return lookup.breaches;
}

async function publishBreach(...words: string[]): Promise<{ exitCode: number; text: string }> {
  const command = [process.execPath, join(import.meta.dir, "../../src/build/publish_breach.ts"), ...words];
  const script = Bun.spawn(command, { env: { DATA_DIR: directory }, stdout: "pipe", stderr: "pipe" });
  const [text, errors, exitCode] = await Promise.all([
    new Response(script.stdout).text(),
    new Response(script.stderr).text(),
    script.exited,
  ]);
  return { exitCode, text: text + errors };
}

describe("EXAMPLE_ADDRESSES", () => {
  test("are about six normalised addresses on reserved domains", () => {
    const addresses = Object.keys(EXAMPLE_ADDRESSES);
    expect(addresses).toHaveLength(6);
    for (const address of addresses) {
      expect(normaliseEmail(address)).toBe(address);
      expect(address).toMatch(/@example\.(com|org|net)$/);
    }
  });

  test("are only in listed breaches that may be shown, and each also in one that is published later", async () => {
    const catalogue = await bundledCatalogue();
    const early = new Set(listedAt(catalogue, FIRST_STATE).map((breach) => breach.name));
    for (const [address, names] of Object.entries(EXAMPLE_ADDRESSES)) {
      const flags = names.map((name) => catalogue.breaches.find((breach) => breach.name === name)?.flags);
      for (const [i, name] of names.entries()) {
        expect([name, flags[i]?.some((flag) => flag === "sensitive" || flag === "retired")]).toEqual([name, false]);
      }
      expect([address, names.some((name) => !early.has(name))]).toEqual([address, true]);
    }
  });

  test("cover every flag that a visible breach can have", async () => {
    const { breaches } = await bundledCatalogue();
    const names = Object.values(EXAMPLE_ADDRESSES).flat();
    const shown = new Set(breaches.filter((breach) => names.includes(breach.name)).flatMap((breach) => breach.flags));
    expect([...shown].sort()).toEqual([
      "fabricated",
      "malware",
      "spamList",
      "stealerLog",
      "subscriptionFree",
      "unverified",
    ]);
  });
});

describe("bundledFeed()", () => {
  test("lookUp() finds what is published and reads the state on each call", async () => {
    expect(await found("ada@example.com")).toEqual(["Adobe", "LinkedIn", "Dropbox", "Canva"]);
    expect(await found("alan@example.com")).toEqual([]);
    expect(await found("someone@else.example")).toEqual([]);
    publishUpTo("2026-01-11");
    expect(await found("alan@example.com")).toEqual(["WebHostingTalk"]);
    publishUpTo("2026-01-11T16:59:02Z");
    expect(await found("alan@example.com")).toEqual(["WebHostingTalk", "Instagram"]);
  });

  test.each(["{", "[]", "null", '{"published":7}', '{"published":"soon"}', ""])(
    "every call fails when the state is %p",
    async (text) => {
      writeFileSync(stateFile, text);
      const feed = bundledFeed({ stateFile });
      for (const answer of [
        await feed.latest(),
        await feed.catalogue(),
        await feed.breach("Adobe"),
        await feed.lookUp("ada@example.com"),
      ]) {
        expect(answer).toEqual({
          kind: "later",
          afterMs: 60_000,
          reason: `Cannot read "published" in "${stateFile}" as a date`,
        });
      }
    },
  );

  test.each(["2013-12-04T00:00:00Z", FIRST_STATE, "2026-01-11T16:59:02Z", "2026-11-20"])(
    "latest() is the newest of what catalogue() lists at %s",
    async (published) => {
      publishUpTo(published);
      const feed = bundledFeed({ stateFile });
      const listed = await feed.catalogue();
      if (listed.kind !== "catalogue") throw new Error(listed.kind);
      expect(listed.breaches).not.toBeEmpty();
      const [newest] = listed.breaches.toSorted((one, other) => other.addedDate.localeCompare(one.addedDate));
      expect(await feed.latest()).toEqual({
        kind: "latest",
        name: newest?.name ?? "",
        addedDate: newest?.addedDate ?? "",
      });
    },
  );

  test("latest() fails when nothing is published", async () => {
    publishUpTo("2001-01-01");
    expect(await bundledFeed({ stateFile }).latest()).toMatchObject({ kind: "later" });
  });
});

describe("the bundled pastes and stealer logs", () => {
  test("are those of one example address, and cost no request", async () => {
    const { traces } = bundledFeed({ stateFile: join(tmpdir(), "breachbell-none.json") });
    expect(traces?.sendsAddress).toBe(false);
    expect(await traces?.subscription()).toEqual({ kind: "subscription", subscription: undefined });
    const [pastes, sites] = [await traces?.pastesOf("hedy@example.org"), await traces?.sitesOf("hedy@example.org")];
    expect(pastes?.kind === "found" && pastes.entries.length).toBe(2);
    expect(sites?.kind === "found" && sites.entries.length).toBe(11);
    for (const other of ["ada@example.com", "constructor", "__proto__"]) {
      expect(await traces?.pastesOf(other)).toEqual({ kind: "found", entries: [], leftOut: 0 });
      expect(await traces?.sitesOf(other)).toEqual({ kind: "found", entries: [], leftOut: 0 });
    }
  });
});

describe("publish_breach.ts", () => {
  test("publishes up to the next breach of an example address, which the feed notices", async () => {
    const { exitCode, text } = await publishBreach();
    expect(exitCode).toBe(0);
    expect(text).toContain("Published 7 of 97 waiting breaches");
    expect(text).toContain("China Software Developer Network  -> ada@example.com");
    expect(text).toContain("The running server notices within seconds");
    expect(text).toContain("https://haveibeenpwned.com");
    expect(await found("ada@example.com")).toContain("CSDN");
    expect(JSON.parse(readFileSync(stateFile, "utf8"))).toEqual({ published: "2025-11-27T05:49:56Z" });
    expect(readdirSync(directory)).toEqual([STATE_FILE]);
  });

  test("reaches the end step by step, each step with an address, and then reports the end", async () => {
    publishUpTo("2026-06-15T19:30:15Z");
    expect((await publishBreach()).text).toContain("Example addresses concerned: margaret@example.net.");
    expect((await publishBreach()).text).toContain("Suno  -> margaret@example.net");
    const { exitCode, text } = await publishBreach();
    expect(exitCode).toBe(0);
    expect(text).toContain("Nothing is left to publish: all 1017 bundled breaches are listed.");
  });

  test("publishes all, or up to the end of a day, and never unpublishes", async () => {
    expect((await publishBreach("--until", "2026-01-11")).text).toContain("alan@example.com");
    expect(await found("alan@example.com")).toEqual(["WebHostingTalk", "Instagram"]);
    expect((await publishBreach("--until", "2025-12-01")).text).toContain("Nothing to publish up to 2025-12-01");
    expect(await found("alan@example.com")).toEqual(["WebHostingTalk", "Instagram"]);
    expect((await publishBreach("--all")).text).toContain("1017 breaches are listed now");
    expect((await publishBreach("--all")).text).toContain("Nothing is left to publish");
  });

  test.each(["--until 2026-02-30", "--until tomorrow", "--all --until 2026-01-01", "--sometimes", "now"])(
    "rejects %s and changes nothing",
    async (words) => {
      const { exitCode, text } = await publishBreach(...words.split(" "));
      expect(exitCode).toBe(2);
      expect(text).toContain("bun run publish-breach --all");
      expect(readdirSync(directory)).toEqual([]);
    },
  );

  test("aborts on a state that it cannot read", async () => {
    writeFileSync(stateFile, "{");
    const { exitCode, text } = await publishBreach("--all");
    expect(exitCode).toBe(2);
    expect(text).toContain('Cannot read "published"');
    expect(readFileSync(stateFile, "utf8")).toBe("{");
  });
});
