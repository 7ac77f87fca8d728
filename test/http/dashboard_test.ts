import { describe, expect, test } from "bun:test";
import { ALICE, ALL, ask, BOB, byLink, type Call, consentWorld, signIn } from "../consent/consent_world.ts";

const read = async (call: Call, query = "") => (await call("GET", `/api/dashboard${query}`)).json();

describe("GET /api/dashboard", () => {
  test("shows for an empty account that nothing is tracked", async () => {
    const { world } = await consentWorld();
    expect(await read(await signIn(world, ALICE))).toMatchObject({
      tracked: { items: [], waiting: { addresses: 0, alerts: 0 }, counts: { all: 0 } },
      managed: null,
      urgentAlertId: null,
      sent: { total: 0 },
      requests: { total: 0 },
      mayWatch: { total: 0 },
      watchedBy: { total: 0 },
    });
  });

  test("shows an invitation as sent until it is accepted, and then its address as tracked", async () => {
    const one = await consentWorld();
    const { token, associationId } = await ask(one, ALICE);
    const [alice, bob] = [await signIn(one.world, ALICE), await signIn(one.world, BOB)];
    expect(await read(alice)).toMatchObject({
      tracked: { items: [], counts: { all: 0 }, capacity: { used: 1 } },
      sent: { total: 1, items: [{ associationId, address: BOB }] },
    });
    expect(await read(bob)).toMatchObject({ managed: null, requests: { total: 1 }, watchedBy: { total: 0 } });
    await byLink(one.world, "accept", { token, ...ALL });
    const dashboard = await read(alice);
    expect(dashboard).toMatchObject({
      tracked: {
        items: [{ id: associationId, address: BOB, status: "breached", pendingAlerts: 2 }],
        counts: { all: 1, breached: 1 },
        waiting: { addresses: 1, alerts: 2 },
      },
      managed: null,
      sent: { total: 0, items: [] },
      mayWatch: { total: 1 },
    });
    const alert = (await (await alice("GET", `/api/alerts/${dashboard.urgentAlertId}`)).json()) as {
      state: string;
    };
    expect(alert.state).toBe("pending");
  });

  test("shows the owner of an address tracked by another account the same as that account, and who it is", async () => {
    const one = await consentWorld();
    const { token } = await ask(one, ALICE);
    await byLink(one.world, "accept", { token, details: false, sensitive: false });
    const bob = await signIn(one.world, BOB);
    expect(await read(bob)).toMatchObject({
      tracked: { items: [], counts: { all: 0 } },
      managed: { address: BOB, managedBy: "Alice Keller", status: "breached", breaches: 2 },
      requests: { total: 0 },
      watchedBy: { total: 1 },
    });
    await byLink(one.world, "withdraw", { token, block: false });
    expect(await read(bob)).toMatchObject({ managed: null, watchedBy: { total: 0 } });
  });
});
