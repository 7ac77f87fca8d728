import { describe, expect, test } from "bun:test";
import type { PageAnswer } from "../../src/breaches/ports.ts";
import { memoryChangePasswordPages } from "../memory/breaches/service_pages.ts";
import { breachWorld } from "../support/breaches.ts";
import { ALICE, aBreach } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";

const NOT_NOW: PageAnswer = { kind: "later", reason: "no answer in time" };

async function world(domains: string[], answers: Record<string, PageAnswer> = {}) {
  const asked = memoryChangePasswordPages(new Map(Object.entries(answers)));
  const plain = breachWorld({
    breaches: domains.map((domain, place) => aBreach({ name: `Breach${place}`, domain })),
    exposures: { [ALICE.address]: ["Breach0"] },
    asks: { changePasswordPages: asked },
  });
  await plain.breaches.syncCatalogue();
  await plain.watch(ALICE);
  await plain.breaches.scanDue();
  async function pageOfAlert(): Promise<string | null | undefined> {
    const list = await plain.breaches.listAlerts(ALICE.accountId, { state: "all", search: "", page: 1 });
    const id = list.ok ? (list.value.items[0]?.id ?? "") : list.code;
    const alert = await plain.breaches.showAlert(ALICE.accountId, id);
    return alert.ok ? alert.value.service?.changePassword : alert.code;
  }
  return { ...plain, asked: asked.asked, pageOfAlert, ask: plain.breaches.askServices };
}

describe("askServices()", () => {
  test("asks each domain of the catalogue once, in alphabetical order, five at a time", async () => {
    const { ask, asked } = await world([
      "f.example",
      "B.example",
      "a.example",
      "b.example",
      "c.example",
      "",
      "d.example",
      "e.example",
    ]);
    await ask();
    expect(asked).toEqual(["a.example", "b.example", "c.example", "d.example", "e.example"]);
    await ask();
    await ask();
    expect(asked.slice(5)).toEqual(["f.example"]);
  });

  test("links the page in the alerts of the service", async () => {
    const { ask, pageOfAlert } = await world(["adobe.example"], { "adobe.example": { kind: "page" } });
    expect(await pageOfAlert()).toBeNull();
    expect(await ask()).toBe(1);
    expect(await pageOfAlert()).toBe("https://adobe.example/.well-known/change-password");
  });

  test("asks again after two months, and no longer links a page that is gone", async () => {
    const answers: Record<string, PageAnswer> = { "adobe.example": { kind: "page" } };
    const { clock, breaches, deps, pageOfAlert } = await world(["adobe.example"], answers);
    await breaches.askServices();
    clock.pass(60 * DAY - 1);
    expect(await breaches.askServices()).toBe(0);
    expect(await pageOfAlert()).not.toBeNull();
    clock.pass(1);
    const { createBreaches } = await import("../../src/breaches/mod.ts");
    await createBreaches({ ...deps, changePasswordPages: memoryChangePasswordPages(new Map()) }).askServices();
    expect(await pageOfAlert()).toBeNull();
  });

  test("keeps what it knows while a service does not answer, and waits longer each time", async () => {
    const { ask, asked, clock } = await world(["adobe.example"], { "adobe.example": NOT_NOW });
    for (const days of [1, 7, 30, 60]) {
      await ask();
      const count = asked.length;
      clock.pass(days * DAY - 1);
      await ask();
      expect(asked).toHaveLength(count);
      clock.pass(1);
    }
    expect(asked).toHaveLength(4);
  });

  test("never asks what is no public domain", async () => {
    const { ask, asked } = await world([
      "localhost",
      "10.0.0.1",
      "evil.example/path",
      "evil.example:8080",
      "ok.example",
    ]);
    await ask();
    expect(asked).toEqual(["ok.example"]);
  });

  test("asks nobody where that is turned off", async () => {
    const { breaches, transaction } = breachWorld({ breaches: [aBreach({ domain: "adobe.example" })] });
    await breaches.syncCatalogue();
    expect(await breaches.askServices()).toBe(0);
    expect(await transaction(({ servicePages }) => servicePages.has("adobe.example"))).toBe(false);
  });
});
