import { expect, test } from "bun:test";
import fc from "fast-check";
import { createIdentity } from "../../src/identity/mod.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { ALICE, HOME, identityWorld } from "./identity_world.ts";

/** The model of a session: the rules without their implementation; times in minutes since the start. */
type Model = { token: string; openedAt: number; seenAt: number; confirmedAt: number; ended: boolean };

const IDLE = 24 * 60;
const AT_MOST = 7 * IDLE;
const CONFIRMED = 15;
const MOST = 20;
const WHATS = ["sign in", "sign in", "sign out", "end", "end others", "confirm", "pass", "pass"] as const;

const history = fc.array(
  fc.record({
    what: fc.constantFrom(...WHATS),
    who: fc.nat(9),
    other: fc.nat(9),
    minutes: fc.constantFrom(1, 14, 15, 60, IDLE - 1, IDLE),
  }),
  { minLength: 3, maxLength: 40, size: "large" },
);

test(
  "in any history, two processes agree immediately on which sessions are open, and which are reauthenticated",
  async () => {
    const seen = { open: 0, ended: 0, idle: 0, confirmed: 0 };
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const world = identityWorld();
        await world.identity.register(ALICE, { ip: HOME });
        const processes = [world.identity, createIdentity(world)] as const;
        const models: Model[] = [];
        let now = 0;
        const isOpen = ({ ended, seenAt, openedAt }: Model) =>
          !ended && now - seenAt < IDLE && now - openedAt < AT_MOST;
        const open = () => models.filter(isOpen);

        for (const [at, { what, who, other, minutes }] of steps.entries()) {
          const identity = processes[at % 2] ?? world.identity;
          const model = open()[who % Math.max(1, open().length)];
          const client = { ip: HOME, token: model?.token };
          const held = model && (await identity.sessionOf(model.token, true));
          if (what === "pass") {
            world.pass({ minutes });
            now += minutes;
          } else if (what === "sign in" && open().length < MOST) {
            const token = await world.signIn();
            models.push({ token, openedAt: now, seenAt: now, confirmedAt: now, ended: false });
          } else if (model && held) {
            if (what === "sign out") {
              await identity.logout(client);
              model.ended = true;
            } else if (what === "end others") {
              expect((await identity.endOtherSessions(held, client)).ok).toBe(true);
              for (const one of models) one.ended ||= one !== model;
            } else if (what === "end") {
              const target = open()[other % open().length] ?? model;
              const { sessionId: id = "" } = (await identity.sessionOf(target.token, true)) ?? {};
              expect((await identity.endSession({ accountId: held.accountId, id }, client)).ok).toBe(true);
              target.ended = true;
            } else if (what === "confirm") {
              const said = await identity.confirmPassword({ ...held, password: ALICE.password }, client);
              if (!said.ok) throw new Error(said.code);
              const former = model.token;
              Object.assign(model, { token: said.value.token, confirmedAt: now, seenAt: now });
              expect(await identity.sessionOf(former)).toBeUndefined();
            }
          }
          // Asked of the other process; the lookup counts as a use.
          const next = processes[(at + 1) % 2] ?? world.identity;
          for (const one of models) {
            const found = await next.sessionOf(one.token);
            const confirmed = isOpen(one) && now - one.confirmedAt < CONFIRMED;
            expect({ what, open: found !== undefined, confirmed: found?.confirmed ?? false }).toEqual({
              what,
              open: isOpen(one),
              confirmed,
            });
            seen.open += Number(isOpen(one));
            seen.ended += Number(one.ended);
            seen.idle += Number(!one.ended && !isOpen(one));
            seen.confirmed += Number(confirmed);
            if (isOpen(one)) one.seenAt = now;
            else one.ended = true;
          }
        }
      }),
      histories(60),
    );
    // The histories must have covered something.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  HISTORIES_MS,
);
