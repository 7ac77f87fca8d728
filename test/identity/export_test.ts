import { expect, test } from "bun:test";
import { fail } from "../../src/shared/result.ts";
import { accepted } from "../support/builders.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

test("exportData() asks every module about this account, and names the missing parts", async () => {
  const asked: string[] = [];
  const world = identityWorld({
    records: {
      tracking: async (accountId) => {
        asked.push(accountId);
        return { associations: [{ since: new Date("2026-11-01T00:00:00Z"), note: undefined }] };
      },
      billing: async () => ({ subscription: null }),
    },
  });
  await world.identity.register(ALICE, { ip: HOME });
  const token = await world.signIn();
  const accountId = (await world.userOf(ALICE.email))?.id ?? "";
  const document = accepted(await world.identity.exportData(accountId, { ip: HOME, token }));
  expect(asked).toEqual([accountId]);
  expect(document).toMatchObject({ product: "Breachbell", createdAt: "2026-11-20T12:00:00.000Z" });
  expect(document.records).toEqual({
    tracking: { associations: [{ since: "2026-11-01T00:00:00.000Z", note: null }] },
    billing: { subscription: null },
  });
  expect(document.account).toMatchObject({ firstName: "Alice", companyName: null, pendingEmail: null, passkeys: [] });
  expect(JSON.stringify(document)).not.toContain(world.hashToken(token));
  expect(JSON.stringify(document)).not.toContain(ALICE.password);
});

test("exportData() returns nothing for a deleted account, and logs no event", async () => {
  const world = identityWorld();
  const unknown = crypto.randomUUID();
  expect(await world.identity.exportData(unknown, { ip: HOME, token: undefined })).toEqual(fail("NOT_FOUND"));
  expect(await world.transaction(({ audit }) => audit.list(unknown, new Date(0), 10))).toEqual([]);
});
