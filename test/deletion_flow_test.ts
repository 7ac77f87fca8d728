import { beforeEach, describe, expect, test } from "bun:test";
import type { PostgresDatabase } from "../src/database/postgres.ts";
import { MARK, markedAccount, PASSWORD, worldOnDatabase } from "./support/marked_account.ts";
import { emptyPglite, emptyServer } from "./support/postgres.ts";
import { tablesWith } from "./support/stored_values.ts";
import { IS_NIGHTLY } from "./support/tier.ts";
import { settle, signedUp } from "./support/world.ts";

const IP_PREFIX = "203.0.113";

const DATABASES: [string, () => Promise<PostgresDatabase>][] = [
  ...(IS_NIGHTLY ? [["pglite", emptyPglite] satisfies [string, unknown]] : []),
  ["postgres", emptyServer],
];

describe.each(DATABASES)("deleting an account on %s", (_, open) => {
  let world: Awaited<ReturnType<typeof worldOnDatabase>>;
  let marked: Awaited<ReturnType<typeof markedAccount>>;

  beforeEach(async () => {
    world = await worldOnDatabase(await open());
    marked = await markedAccount(world);
  });

  test("leaves no trace of it in any table, nor in the log", async () => {
    const { call, accountId } = marked;
    expect(await tablesWith(world, MARK)).toEqual(
      expect.arrayContaining([
        ...["identity.users", "identity.sessions", "identity.email_changes", "identity.authenticators"],
        ...["identity.passkeys", "identity.recovery_codes", "identity.provider_links", "identity.audit_events"],
        ...[
          "tracking.association",
          "invitations.invitation",
          "breaches.scan",
          "breaches.watch",
          "breaches.exposure",
          "breaches.alert",
        ],
        ...["notifications.contact", "notifications.delivery", "notifications.attempt"],
        ...["support.ticket", "support.post"],
      ]),
    );
    expect(await tablesWith(world, accountId)).toEqual(
      expect.arrayContaining([
        ...["tracking.account", "identity.audit_events", "breaches.seen"],
        ...["billing.subscription", "billing.checkout", "billing.orders", "billing.notice"],
      ]),
    );
    expect(await tablesWith(world, IP_PREFIX)).toEqual(
      expect.arrayContaining(["identity.sessions", "identity.audit_events"]),
    );

    // Work in progress at that time is deleted too.
    await call("POST", "/api/forgot-password", { email: `${MARK}@example.com` });
    await world.app.request("/api/login", {
      method: "POST",
      headers: { "Sec-Fetch-Site": "same-origin", "Content-Type": "application/json" },
      body: JSON.stringify({ email: `${MARK}@example.com`, password: PASSWORD }),
    });
    expect(await tablesWith(world, MARK)).toContain("events.outbox");
    expect((await call("POST", "/api/profile/delete", { password: PASSWORD })).status).toBe(200);
    await settle(world);

    for (const trace of [MARK, accountId, IP_PREFIX])
      expect({ trace, in: await tablesWith(world, trace) }).toEqual({ trace, in: [] });
    expect(world.log.join("\n")).not.toContain(MARK);
    // Nor at the payment provider.
    expect(world.ground.sandbox.look((state) => JSON.stringify(state))).not.toContain(MARK);
    // It is notified of its end, and so are the owners who were monitored.
    const told = world.ground.sender.sent.slice(-2).map(({ to }) => to.value);
    expect(told.toSorted()).toEqual([`${MARK}-guest@example.net`, `${MARK}@example.com`]);
  });

  test("stays complete if a mail of the account is published afterwards", async () => {
    const { call, accountId } = marked;
    expect((await call("POST", "/api/profile/delete", { password: PASSWORD })).status).toBe(200);
    await settle(world);
    await world.notifications.onMailRequested({
      type: "mail.requested",
      to: `${MARK}@example.com`,
      language: "en",
      template: "password_changed",
      params: { changedAt: "2026-11-20T12:00:00.000Z" },
      accountId,
    });
    await settle(world);
    expect(await tablesWith(world, MARK)).toEqual([]);
  });

  test("leaves nothing of a former email, either", async () => {
    const { call } = marked;
    const mail = world.ground.sender.sent.findLast(({ to }) => to.value === `${MARK}-new@example.com`);
    const [, token = ""] = /confirm-email#t=([\w-]+)/.exec(JSON.stringify(mail)) ?? [];
    expect((await call("POST", "/api/email-change/confirm", { token })).status).toBe(200);
    await settle(world);
    expect(world.ground.sender.sent.at(-1)?.to.value).toBe(`${MARK}@example.com`);
    expect((await call("POST", "/api/profile/delete", { password: PASSWORD })).status).toBe(200);
    await settle(world);
    expect(await tablesWith(world, MARK)).toEqual([]);
  });

  test("affects no other account", async () => {
    const bob = await signedUp(world, "bob@example.net");
    const contacts = { email: ["bob@example.net"] };
    await bob("POST", "/api/associations", { address: "bob@example.net", owner: true, language: "en", contacts });
    await settle(world);
    const before = await tablesWith(world, "bob@example.net");
    expect(before).toContain("breaches.scan");
    await marked.call("POST", "/api/profile/delete", { password: PASSWORD });
    await settle(world);
    expect(await tablesWith(world, "bob@example.net")).toEqual(before);
    expect((await bob("GET", "/api/profile")).status).toBe(200);
  });
});
