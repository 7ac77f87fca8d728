import { describe, expect, test } from "bun:test";
import { postgresBreaches } from "../../src/breaches/adapters/postgres/store.ts";
import type { KeptLogo } from "../../src/breaches/ports.ts";
import { FULL_SCOPE } from "../../src/shared/consent.ts";
import { memoryBreaches } from "../memory/breaches/store.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { PICTURES } from "../support/pictures.ts";
import { eachDatabase } from "../support/postgres.ts";

const at = (minute: number) => new Date(Date.UTC(2026, 10, 20, 12, minute));
const PATHS = ["Adobe", "Canva", "Dropbox", "List"].map((name) => `https://logos.example/${name}.png`);
const [ADOBE = "", CANVA = "", DROPBOX = "", LIST = ""] = PATHS;
const FILE = "0123456789abcdef0123456789abcdef.png";

function logo(more: Partial<KeptLogo> = {}): KeptLogo {
  const bytes = new Uint8Array(PICTURES["image/png"]);
  return { file: FILE, type: "image/png", bytes, etag: '"e1"', fetchedAt: at(0), ...more };
}

describe.each(eachDatabase(memoryBreaches, postgresBreaches))("BreachStore's logos on %s", (_, open) => {
  /** Adobe, Canva, Dropbox, two that share a logo, one without; Alice has an alert for Dropbox. */
  async function openLogos() {
    const { transaction } = await open();
    await transaction(async ({ breaches, watches, alerts }) => {
      const shared = ["Lists", "Combos"].map((name) => aBreach({ name, logoPath: LIST }));
      const own = ["Adobe", "Canva", "Dropbox"].map((name) => aBreach({ name }));
      const list = [...own, ...shared, aBreach({ name: "Bare", logoPath: "" })];
      await breaches.put(
        "hibp",
        list.map((breach) => ({ breach, hash: breach.name })),
        at(0),
      );
      await watches.add({ associationId: crypto.randomUUID(), ...ALICE, ...FULL_SCOPE });
      await alerts.addMissing([{ address: ALICE.address, breachNames: ["Dropbox"] }], at(0));
    });
    const claim = (minute: number, limit = 10) =>
      transaction(({ logos }) => logos.claimDue(limit, at(minute), at(minute + 15)));
    const pathsAt = async (minute: number, limit?: number) => (await claim(minute, limit)).map(({ path }) => path);
    const keep = (path: string, kept = logo(), minute = 100) =>
      transaction(({ logos }) => logos.keep(path, kept, at(minute)));
    const filesOf = (...names: string[]) => transaction(({ logos }) => logos.filesOf(names));
    return { transaction, claim, pathsAt, keep, filesOf };
  }

  test("claimDue() returns each logo once, those of breaches with alerts first", async () => {
    const { claim, pathsAt } = await openLogos();
    expect(await claim(0, 2)).toEqual([
      { path: DROPBOX, etag: undefined, failures: 0 },
      { path: ADOBE, etag: undefined, failures: 0 },
    ]);
    expect(await pathsAt(0)).toEqual([CANVA, LIST]);
    expect(await pathsAt(14)).toEqual([]);
    expect(await pathsAt(15)).toEqual([DROPBOX, ADOBE, CANVA, LIST]);
  });

  test("claimDue() gives each logo to one of ten concurrent callers", async () => {
    const { pathsAt } = await openLogos();
    const claimed = await Promise.all(Array.from({ length: 10 }, () => pathsAt(0)));
    expect(claimed.flat().toSorted()).toEqual(PATHS.toSorted());
  });

  test("claimDue() omits breaches that the source no longer lists", async () => {
    const { transaction, pathsAt } = await openLogos();
    await transaction(({ breaches }) => breaches.markRemoved("hibp", ["Canva", "Lists"], at(0)));
    expect(await pathsAt(0)).toEqual([DROPBOX, ADOBE, LIST]);
  });

  test("keep() stores a logo with its bytes, for every breach with that path", async () => {
    const { transaction, claim, keep, filesOf } = await openLogos();
    await claim(0);
    const webp = logo({
      file: FILE.replace("png", "webp"),
      type: "image/webp",
      bytes: new Uint8Array([0, 255, 10, 0]),
    });
    await keep(LIST, webp);
    await keep(ADOBE);
    expect(await transaction(({ logos }) => logos.find(webp.file))).toEqual({ type: "image/webp", bytes: webp.bytes });
    expect(await transaction(({ logos }) => logos.find(FILE))).toEqual({ type: "image/png", bytes: logo().bytes });
    expect(await transaction(({ logos }) => logos.find("unknown.png"))).toBeUndefined();
    expect(await filesOf("Adobe", "Lists", "Combos", "Canva", "Bare", "Unknown")).toEqual(
      new Map([
        ["Adobe", FILE],
        ["Lists", webp.file],
        ["Combos", webp.file],
      ]),
    );
    expect(await filesOf()).toEqual(new Map());
  });

  test("keep() replaces a logo when it is due again, and returns its tag until then", async () => {
    const { transaction, claim, pathsAt, keep, filesOf } = await openLogos();
    await claim(0);
    for (const path of PATHS) await keep(path);
    expect(await pathsAt(99)).toEqual([]);
    expect(await claim(100, 1)).toEqual([{ path: DROPBOX, etag: '"e1"', failures: 0 }]);
    await keep(DROPBOX, logo({ file: `f${FILE.slice(1)}`, etag: undefined }), 200);
    expect(await filesOf("Dropbox", "Adobe")).toEqual(
      new Map([
        ["Dropbox", `f${FILE.slice(1)}`],
        ["Adobe", FILE],
      ]),
    );
    expect(await transaction(({ logos }) => logos.find(FILE))).toBeDefined();
    const { alerts } = await transaction((store) => store.alerts.list(ALICE.accountId, { handledAfter: at(0) }, 0, 10));
    expect(alerts.map(({ known }) => known?.logo)).toEqual([`f${FILE.slice(1)}`]);
  });

  test("postpone() counts failures and keeps the stored logo", async () => {
    const { transaction, claim, keep, filesOf } = await openLogos();
    const postpone = (path: string, minute: number, failures: number) =>
      transaction(({ logos }) => logos.postpone(path, at(minute), failures));
    await claim(0);
    await keep(ADOBE);
    await postpone(ADOBE, 30, 3);
    await postpone(CANVA, 31, 1);
    expect(await claim(30)).toContainEqual({ path: ADOBE, etag: '"e1"', failures: 3 });
    expect(await claim(31)).toContainEqual({ path: CANVA, etag: undefined, failures: 1 });
    expect(await filesOf("Adobe")).toEqual(new Map([["Adobe", FILE]]));
    await postpone("nobody's", 32, 1);
    await keep(ADOBE, logo(), 40);
    expect(await claim(40)).toContainEqual({ path: ADOBE, etag: '"e1"', failures: 0 });
  });

  test("a rolled back transaction leaves no logo, and a stored one is a copy", async () => {
    const { transaction, keep } = await openLogos();
    const kept = logo();
    await expect(
      transaction(async ({ logos }) => {
        await logos.keep(ADOBE, kept, at(9));
        throw new Error("Stop");
      }),
    ).rejects.toThrow("Stop");
    expect(await transaction(({ logos }) => logos.find(FILE))).toBeUndefined();
    await keep(ADOBE, kept);
    kept.bytes.fill(0);
    const found = await transaction(({ logos }) => logos.find(FILE));
    found?.bytes.fill(1);
    expect(await transaction(({ logos }) => logos.find(FILE))).toEqual({ type: "image/png", bytes: logo().bytes });
  });
});
