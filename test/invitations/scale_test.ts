import { beforeAll, describe, expect, test } from "bun:test";
import type { Database, PostgresDatabase } from "../../src/database/postgres.ts";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import { INVITATIONS_PER_PAGE, rangeOf } from "../../src/invitations/page.ts";
import type { InvitationRepository } from "../../src/invitations/ports.ts";
import { ALICE, BOB } from "../support/builders.ts";
import { emptyServer } from "../support/postgres.ts";
import { analyse, copyRows, readsOf } from "../support/reads.ts";
import { anInvitation, DETAILS } from "./invitation_world.ts";

const MANY = 200;
const OTHERS = 100;
const second = (number: number) => new Date(Date.UTC(2026, 10, 1, 0, 0, number));
const events = { publish: async () => {} };

const READS: [string, (invitations: InvitationRepository) => Promise<unknown>][] = [
  ["an inviter's requests", (all) => all.page({ inviterId: ALICE.accountId }, "pending", rangeOf(2))],
  ["an inviter's grants", (all) => all.page({ inviterId: ALICE.accountId }, "accepted", rangeOf(2))],
  ["an owner's grants", (all) => all.page({ address: BOB.address }, "accepted", rangeOf(2))],
  [
    "an owner's requests",
    (all) => all.pageOpen(BOB.address, { inviters: [BOB.accountId], now: second(0) }, rangeOf(2)),
  ],
];

/** Alice has 200 open requests and 200 grants, as does Bob's address; a hundred other users have as many as Alice. */
describe("With many invitations on a Postgres server", () => {
  let database: PostgresDatabase;

  beforeAll(async () => {
    database = await emptyServer();
    await database.transactionOf(postgresInvitations)(async ({ invitations }) => {
      for (let number = 0; number < MANY; number++) {
        const at = { createdAt: second(number) };
        const agreed = { state: "accepted", scope: DETAILS, ...at } as const;
        const others = { inviterId: crypto.randomUUID() };
        for (const more of [at, agreed]) {
          await invitations.add(anInvitation({ ...more, address: `person${number}@example.org` }));
          await invitations.add(anInvitation({ ...more, ...others }));
        }
      }
    });
    const table = "invitations.invitation";
    for (let other = 0; other < OTHERS; other++)
      await copyRows(database, { table, person: "inviter_id", of: ALICE.accountId, more: ["association_id"] });
    await analyse(database, table);
  }, 60_000);

  test.each(READS)("a page of %s reads only that list", async (_, read) => {
    const work = (tx: Database) => read(postgresInvitations(tx, events).invitations);
    const reads = await readsOf(database, { table: "invitation", work });
    expect(reads.sequential).toBe(0);
    // Once for the count, and once for the page and the rows before it.
    expect(reads.rows).toBeLessThanOrEqual(MANY + 4 * INVITATIONS_PER_PAGE);
    expect(reads.rows).toBeGreaterThanOrEqual(INVITATIONS_PER_PAGE);
  });
});
