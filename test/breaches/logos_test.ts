import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { createBreaches } from "../../src/breaches/mod.ts";
import type { LogoAnswer, LogoSource } from "../../src/breaches/ports.ts";
import { memoryLogoSource } from "../memory/breaches/logos.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { DAY, MINUTE } from "../support/clock.ts";
import { PICTURES } from "../support/pictures.ts";

const HOUR = 60 * MINUTE;
const pathOf = (name: string) => `https://logos.example/${name}.png`;
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const PNG = new Uint8Array(PICTURES["image/png"]);
const FILE = `${digestOf(PNG).slice(0, 32)}.png`;
const REFUSED: LogoAnswer = { kind: "refused", reason: "it is cut off" };
const BROKEN = { kind: "later", afterMs: 0, reason: "Cannot fetch a logo: the unexpected status 500" } as const;

function picture(bytes = PNG): LogoAnswer {
  return { kind: "logo", type: "image/png", bytes, digest: digestOf(bytes), etag: '"e1"' };
}

/** A catalogue of these breaches, Alice in the last one of them, and a source of logos. */
async function world(names: string[], source: LogoSource | undefined) {
  const last = names.at(-1) ?? "";
  const plain = breachWorld({
    breaches: names.map((name) => aBreach({ name })),
    exposures: { [ALICE.address]: [last] },
    asks: { logoSource: source },
  });
  await plain.breaches.syncCatalogue();
  await plain.watch(ALICE);
  await plain.breaches.scanDue();
  const filesOf = (...asked: string[]) => plain.transaction(({ logos }) => logos.filesOf(asked));
  return { ...plain, last, filesOf, fetchLogos: plain.breaches.fetchLogos };
}

describe("fetchLogos()", () => {
  test("fetches each logo once, those of breaches with alerts first, ten at a time", async () => {
    const names = Array.from({ length: 23 }, (_, number) => `Breach${String(number).padStart(2, "0")}`);
    const source = memoryLogoSource(new Map(names.map((name) => [pathOf(name), picture()])));
    const { fetchLogos, filesOf } = await world(names, source);
    expect(await fetchLogos()).toBe(10);
    expect(source.asked[0]).toBe(pathOf("Breach22"));
    expect([await fetchLogos(), await fetchLogos(), await fetchLogos()]).toEqual([10, 3, 0]);
    expect(source.asked.toSorted()).toEqual(names.map(pathOf));
    expect([...(await filesOf(...names)).values()]).toEqual(names.map(() => FILE));
  });

  test("does nothing without a source", async () => {
    const { fetchLogos, filesOf } = await world(["Adobe"], undefined);
    expect(await fetchLogos()).toBe(0);
    expect(await filesOf("Adobe")).toEqual(new Map());
  });

  test("an alert has the path of a stored logo, on our own origin, otherwise none", async () => {
    const answers = new Map([[pathOf("Adobe"), picture()]]);
    const { breaches, fetchLogos, deps } = await world(["Adobe"], memoryLogoSource(answers));
    const logoOf = async () => {
      const page = await breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
      return page.ok ? page.value.items.map(({ breach }) => breach?.logo) : page.code;
    };
    expect(await logoOf()).toEqual([null]);
    await fetchLogos();
    expect(await logoOf()).toEqual([`/api/logos/${FILE}`]);
    expect(await createBreaches(deps).showLogo(FILE)).toEqual({ ok: true, value: { type: "image/png", bytes: PNG } });
    expect(await breaches.showLogo(`f${FILE.slice(1)}`)).toEqual({ ok: false, code: "NOT_FOUND" });
  });

  test("a missing logo is not requested again for two weeks", async () => {
    const source = memoryLogoSource(new Map());
    const { fetchLogos, clock } = await world(["Adobe"], source);
    await fetchLogos();
    clock.pass(14 * DAY - 1);
    await fetchLogos();
    expect(source.asked).toHaveLength(1);
    clock.pass(1);
    await fetchLogos();
    expect(source.asked).toHaveLength(2);
  });

  test("refused logos are retried with increasing delays, are reported, and do not delay others", async () => {
    const answers = new Map<string, LogoAnswer>([
      [pathOf("Adobe"), REFUSED],
      [pathOf("Canva"), picture()],
    ]);
    const source = memoryLogoSource(answers);
    const { fetchLogos, clock, reports } = await world(["Canva", "Adobe"], source);
    expect(await fetchLogos()).toBe(1);
    expect(reports).toEqual(["Cannot keep a logo: it is cut off"]);
    for (const days of [1, 7, 30, 30]) {
      clock.pass(days * DAY - 1);
      const before = source.asked.filter((path) => path === pathOf("Adobe")).length;
      await fetchLogos();
      expect(source.asked.filter((path) => path === pathOf("Adobe"))).toHaveLength(before);
      clock.pass(1);
      await fetchLogos();
      expect(source.asked.filter((path) => path === pathOf("Adobe"))).toHaveLength(before + 1);
    }
    answers.set(pathOf("Adobe"), picture());
    clock.pass(30 * DAY);
    expect(await fetchLogos()).toBe(1);
  });

  test("while the source is failing, one logo is requested occasionally, with increasing delays", async () => {
    const answers = new Map<string, LogoAnswer>(["Adobe", "Canva"].map((name) => [pathOf(name), BROKEN]));
    const source = memoryLogoSource(answers);
    const { fetchLogos, clock, reports, filesOf } = await world(["Canva", "Adobe"], source);
    await fetchLogos();
    expect(source.asked).toEqual([pathOf("Adobe")]);
    expect(reports).toEqual([BROKEN.reason]);
    await fetchLogos();
    expect(source.asked).toEqual([pathOf("Adobe"), pathOf("Canva")]);
    clock.pass(15 * MINUTE - 1);
    expect([await fetchLogos(), source.asked.length]).toEqual([0, 2]);
    clock.pass(1);
    await fetchLogos();
    expect(source.asked).toHaveLength(3);
    for (const path of [pathOf("Adobe"), pathOf("Canva")]) answers.set(path, picture());
    clock.pass(HOUR);
    await fetchLogos();
    expect([...(await filesOf("Adobe", "Canva")).keys()].toSorted()).toEqual(["Adobe", "Canva"]);
  });

  test("waits for a rate limit slot that is near, and releases all logos when it is far", async () => {
    const turns: LogoAnswer[] = [{ kind: "later", afterMs: 1000, reason: "Not yet", isRateLimit: true }, picture()];
    const far: LogoAnswer = { kind: "later", afterMs: HOUR, reason: "Not yet", isRateLimit: true };
    const { fetchLogos, clock, waits, reports } = await world(["Canva", "Dropbox", "Adobe"], {
      ask: async () => turns.shift() ?? far,
    });
    expect(await fetchLogos()).toBe(1);
    expect([waits, reports]).toEqual([[1000], []]);
    turns.push(picture(), picture());
    clock.pass(HOUR - 1);
    expect(await fetchLogos()).toBe(0);
    clock.pass(1);
    expect(await fetchLogos()).toBe(2);
  });

  test("requests a stored logo again after two months, keeps it when it has disappeared, and stores its replacement", async () => {
    const answers = new Map([[pathOf("Adobe"), picture()]]);
    const source = memoryLogoSource(answers);
    const { fetchLogos, clock, filesOf } = await world(["Adobe"], source);
    await fetchLogos();
    clock.pass(60 * DAY);
    expect(await fetchLogos()).toBe(0);
    answers.delete(pathOf("Adobe"));
    clock.pass(60 * DAY);
    expect(await fetchLogos()).toBe(0);
    expect(await filesOf("Adobe")).toEqual(new Map([["Adobe", FILE]]));
    const next = new Uint8Array(PICTURES["image/png"].map((byte, index) => (index === 60 ? byte ^ 1 : byte)));
    answers.set(pathOf("Adobe"), { ...picture(next), etag: '"e2"' } as LogoAnswer);
    clock.pass(14 * DAY);
    expect(await fetchLogos()).toBe(1);
    expect(await filesOf("Adobe")).toEqual(new Map([["Adobe", `${digestOf(next).slice(0, 32)}.png`]]));
  });

  test("a process that dies midway releases its logos to others after a quarter of an hour", async () => {
    const answers = new Map([[pathOf("Adobe"), picture()]]);
    let isDead = true;
    const source: LogoSource = {
      async ask(path) {
        if (isDead) throw new Error("Killed");
        return answers.get(path) ?? { kind: "missing" };
      },
    };
    const { fetchLogos, clock } = await world(["Adobe"], source);
    await expect(fetchLogos()).rejects.toThrow("Killed");
    isDead = false;
    expect(await fetchLogos()).toBe(0);
    clock.pass(15 * MINUTE);
    expect(await fetchLogos()).toBe(1);
  });
});
