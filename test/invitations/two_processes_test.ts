import { expect, test } from "bun:test";
import fc from "fast-check";
import type { Database } from "../../src/database/postgres.ts";
import { postgresOutbox } from "../../src/events/adapters/postgres/outbox.ts";
import { postgresInvitations } from "../../src/invitations/adapters/postgres/store.ts";
import { createInvitations } from "../../src/invitations/mod.ts";
import { type ConsentScope, FULL_SCOPE, NO_SCOPE } from "../../src/shared/consent.ts";
import { HOUR } from "../support/clock.ts";
import { HISTORIES_MS, histories } from "../support/histories.ts";
import { emptyServer, neighbourOnServer } from "../support/postgres.ts";
import { askedHistory, type Model, newModel, perform, play, type Step } from "./history_model.ts";
import { invitationWorld, outcomes, tokenOf } from "./invitation_world.ts";

const QUESTIONS = ["invitation", "invitation_reminder"];
const does = (what: Step["what"], scope: ConsentScope = NO_SCOPE): Step => ({ what, scope, hours: 0, stale: false });
const SEND = does("send");
/** Always played as well, since timing decides the others: one accept and one decline, and two scope changes. */
const EXAMPLES: Step[][] = [
  [does("accept"), does("decline")],
  [does("accept"), does("accept"), does("rescope", { details: true, sensitive: false }), does("rescope", FULL_SCOPE)],
];

async function twoProcesses() {
  const database = await emptyServer();
  const neighbour = await neighbourOnServer();
  const outbox = postgresOutbox(database.transactionOf((tx: Database) => tx));
  const world = invitationWorld({ transaction: database.transactionOf(postgresInvitations), outbox });
  const other = createInvitations({ ...world.deps, transaction: neighbour.transactionOf(postgresInvitations) });
  return { world, processes: [world.invitations, other] };
}

type Moment = { now: number; linked: boolean };
type Played = { model: Model; allowed: boolean[] };

/** Both steps of a pair in sequence: in the order of the pair, or reversed. */
function inOrder(before: Model, pair: Step[], { now, linked }: Moment, order: number[]): Played {
  const model = structuredClone(before);
  const allowed: boolean[] = [];
  let isNewest = true;
  for (const index of order) {
    const step = pair[index];
    if (!step) continue;
    const byLink = linked && !step.stale && isNewest;
    allowed[index] = play(model, step, { now, byLink });
    // A mail that has just been sent invalidates the link of the previous one.
    if (step.what === "send" && allowed[index]) isNewest = false;
  }
  return { model, allowed };
}

test(
  "two processes that act on an invitation concurrently give the same result as in some sequence",
  async () => {
    const seen = { both: 0, one: 0 };
    await fc.assert(
      fc.asyncProperty(askedHistory, async (steps) => {
        const { world, processes } = await twoProcesses();
        const { transaction, published, clock, stored, actsOf } = world;
        const start = clock.now().getTime();
        const request = await world.ask();
        const { associationId } = request;
        const { id } = (await transaction((store) => store.invitations.find({ associationId }))) ?? { id: "" };
        let model = newModel();
        const tokens: string[] = ["no link yet"];
        let told = 0;
        for (const pair of [[SEND], ...pairsOf(steps)]) {
          clock.pass((pair[0]?.hours ?? 0) * HOUR);
          const moment = { now: clock.now().getTime() - start, linked: tokens.length > 1 };
          const before = tokens.length;
          const done = await Promise.all(
            pair.map((step, index) => {
              const token = (step.stale ? tokens.at(-2) : tokens.at(-1)) ?? "none";
              const invitations = processes[index] ?? world.invitations;
              return perform({ ...world, invitations, id, request }, step, token);
            }),
          );
          for (const event of await published()) {
            if (outcomes([event]).length === 1) told++;
            else if (event.type === "mail.requested" && QUESTIONS.includes(event.template)) tokens.push(tokenOf(event));
          }
          const { state, scope } = (await stored(id)) ?? {};
          // Jobs and events return how much they found; their effect is in the record, and in the mails that were sent.
          const isTold = (_: boolean, index: number) => !["drop", "send", "expire"].includes(pair[index]?.what ?? "");
          const sent = tokens.length - before;
          const found = { allowed: done.filter(isTold), state, scope, acts: await actsOf(id), told, sent };
          const possible = [inOrder(model, pair, moment, [0, 1]), inOrder(model, pair, moment, [1, 0])];
          const said = possible.map((played) => ({
            allowed: played.allowed.filter(isTold),
            scope: played.model.scope,
            acts: played.model.acts,
            told: played.model.outcomes,
            state: stateOf(played.model, state),
            sent: sentOf(played, pair),
          }));
          const match = said.findIndex((one) => Bun.deepEquals(one, found));
          if (match < 0) expect({ pair, found }).toEqual({ pair, found: said[0] } as never);
          model = possible[match]?.model ?? model;
          if (pair.length === 2) seen[done.every(Boolean) ? "both" : "one"] += Number(done.some(Boolean));
        }
      }),
      { ...histories(15, 500), examples: EXAMPLES.map((steps) => [steps]) },
    );
    // The histories must have covered something.
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(0);
  },
  HISTORIES_MS,
);

const sentOf = ({ allowed }: Played, pair: Step[]): number =>
  pair.filter(({ what }, index) => what === "send" && allowed[index]).length;

const pairsOf = (steps: Step[]): Step[][] => steps.flatMap((_, at) => (at % 2 === 0 ? [steps.slice(at, at + 2)] : []));

/** How the product names an ended invitation; there are several error codes. */
function stateOf({ state }: Model, found: string | undefined): string | undefined {
  if (state === "accepted") return "accepted";
  return state === "over" ? (found === "pending" || found === "accepted" ? "over" : found) : "pending";
}
