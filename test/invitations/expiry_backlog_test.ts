import { describe, expect, test } from "bun:test";
import { createInvitations } from "../../src/invitations/mod.ts";
import { ALICE } from "../support/builders.ts";
import { anInvitation, invitationWorld } from "./invitation_world.ts";

/** More than the job reads at a time. */
const MANY = 250;

/** Invitations that expire now. The accounts of inviters in `broken` cannot be read. */
async function backlog(broken: { has(accountId: string): boolean } = new Set<string>()) {
  const w = invitationWorld();
  const expiresAt = w.clock.now();
  const list = Array.from({ length: MANY }, () =>
    anInvitation({ inviterId: crypto.randomUUID(), sentAt: new Date(0), expiresAt }),
  );
  await w.transaction(async (store) => {
    for (const invitation of list) await store.invitations.add(invitation);
  });
  const accounts: typeof w.deps.accounts = {
    async of(accountId) {
      if (broken.has(accountId)) throw new Error(`cannot read ${accountId}`);
      return w.deps.accounts.of(ALICE.accountId);
    },
  };
  const faulty = createInvitations({ ...w.deps, accounts });
  const expired = async () => (await w.published()).filter(({ type }) => type === "invitations.ended").length;
  return { ...w, list, faulty, expired };
}

describe("expireDue()", () => {
  test("expires any number of invitations in one run", async () => {
    const w = await backlog();
    expect(await w.invitations.expireDue()).toBe(MANY);
    expect(await w.expired()).toBe(MANY);
    expect(await w.invitations.expireDue()).toBe(0);
  });

  test("skips an invitation that fails until the next run, and reports it", async () => {
    const broken = new Set<string>();
    const w = await backlog(broken);
    const [first] = w.list;
    broken.add(first?.inviterId ?? "");
    expect(await w.faulty.expireDue()).toBe(MANY - 1);
    expect(w.errors).toEqual([new Error(`cannot read ${first?.inviterId}`)]);
    expect(await w.stored(first?.id ?? "")).toMatchObject({ state: "pending" });
    broken.clear();
    expect(await w.faulty.expireDue()).toBe(1);
  });

  test("ends when every invitation fails", async () => {
    const w = await backlog({ has: () => true });
    expect(await w.faulty.expireDue()).toBe(0);
    expect(w.errors).toHaveLength(MANY);
    expect(await w.invitations.expireDue()).toBe(MANY);
  });

  test("ends between two invitations when it is stopped", async () => {
    const w = await backlog();
    let asked = 0;
    expect(await w.invitations.expireDue(() => ++asked > 7)).toBe(7);
    expect(await w.invitations.expireDue()).toBe(MANY - 7);
  });
});
