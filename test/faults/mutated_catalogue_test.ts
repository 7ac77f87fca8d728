import { expect, test } from "bun:test";
import { mutatedCatalogue } from "./mutated_catalogue.ts";

const missed = async (spoil?: (told: string[]) => void, seeds = 1) =>
  (await mutatedCatalogue({ first: 1, seeds }, spoil)).filter(({ pass }) => !pass).map(({ what }) => what);

/** 200 of them: `bun test/faults/mutated_catalogue.ts`. */
test("each exposure is announced once, however a source repeats, renames, retires, loses and restores its entries", async () => {
  expect(await missed(undefined, 20)).toEqual([]);
}, 120_000);

test("a missing and a duplicate announcement are detected", async () => {
  expect(await missed((told) => told.splice(0, 1))).toEqual(["1 catalogues from seed 1: exposures that were not told"]);
  expect(await missed((told) => told.push(...told.slice(0, 1)))).toEqual([
    "1 catalogues from seed 1: second alerts, or alerts told twice",
  ]);
}, 60_000);
