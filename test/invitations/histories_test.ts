import { expect, test } from "bun:test";
import fc from "fast-check";
import { BOB } from "../support/builders.ts";
import { HOUR } from "../support/clock.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { history, newModel, perform, play } from "./history_model.ts";
import { invitationWorld, outcomes, tokenOf } from "./invitation_world.ts";

test(
  "an invitation follows the model in any order of events",
  async () => {
    await fc.assert(
      fc.asyncProperty(history, async (steps) => {
        const world = invitationWorld();
        const { transaction, mails, published, clock, stored, actsOf } = world;
        const start = clock.now().getTime();
        const request = await world.ask();
        const { associationId } = request;
        const { id } = (await transaction((store) => store.invitations.find({ associationId }))) ?? { id: "" };
        const model = newModel();
        const tokens: string[] = ["no link yet"];
        let told = 0;
        for (const step of steps) {
          clock.pass(step.hours * HOUR);
          const token = (step.stale ? tokens.at(-2) : tokens.at(-1)) ?? "none";
          const byLink = tokens.length > 1 && !step.stale;
          const isAllowed = play(model, step, { now: clock.now().getTime() - start, byLink });
          const done = await perform({ ...world, id, request }, step, token);
          expect({ step, done }).toEqual({ step, done: isAllowed });
          for (const event of await published()) {
            if (outcomes([event]).length === 1) told++;
            else if (event.type === "mail.requested" && event.to === BOB.address && step.what === "send")
              tokens.push(tokenOf(event));
          }
          const now = await stored(id);
          const state = { waiting: "pending", sent: "pending", accepted: "accepted", over: now?.state ?? "" }[
            model.state
          ];
          expect(now).toMatchObject({ state, scope: model.scope });
          expect(await actsOf(id)).toEqual(model.acts);
          expect(told).toBe(model.outcomes);
        }
        expect(await mails()).toEqual([]);
      }),
      histories(300),
    );
  },
  HISTORIES_MS,
);
