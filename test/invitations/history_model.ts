import fc from "fast-check";
import type { ConsentScope } from "../../src/shared/consent.ts";
import { ALICE, BOB, CHARLIE } from "../support/builders.ts";
import { DAY } from "../support/clock.ts";
import type { invitationWorld, Request } from "./invitation_world.ts";

/** The model of an invitation: the rules without their implementation. */
export type Model = {
  state: "waiting" | "sent" | "accepted" | "over";
  sentAt: number;
  reminders: number;
  scope: ConsentScope | undefined;
  acts: string[];
  outcomes: number;
};
export type Step = { what: string; scope: ConsentScope; hours: number; stale: boolean };

const VALID = 7 * DAY;
const STEPS = ["send", "expire", "accept", "decline", "rescope", "withdraw", "cancel", "drop", "request", "stranger"];
const step = (...whats: string[]) =>
  fc.record({
    what: fc.constantFrom(...whats),
    scope: fc.record({ details: fc.boolean(), sensitive: fc.boolean() }),
    hours: fc.constantFrom(0, 1, 23, 48, 96),
    /** With the link of an older mail. */
    stale: fc.boolean(),
  });
export const history = fc.array(step(...STEPS), { maxLength: 14 });
/** Requires a mail first; can be accepted only once. */
export const askedHistory = fc.array(step(...STEPS, "send", "accept", "rescope", "withdraw"), {
  minLength: 4,
  maxLength: 20,
  size: "large" as const,
});

export const newModel = (): Model => ({
  state: "waiting",
  sentAt: 0,
  reminders: 0,
  scope: undefined,
  outcomes: 0,
  acts: ["inviter asked"],
});

/** Applies one step to the model; returns whether it must be allowed. */
export function play(model: Model, { what, scope }: Step, { now, byLink }: { now: number; byLink: boolean }): boolean {
  const isOpen = model.state === "waiting" || (model.state === "sent" && now < model.sentAt + VALID);
  const isPending = model.state === "waiting" || model.state === "sent";
  const write = (act: string) => void model.acts.push(act);
  const end = (act: string) => {
    write(act);
    Object.assign(model, { state: "over", outcomes: model.outcomes + 1 });
    return true;
  };
  switch (what) {
    case "accept":
    case "request":
      if (!isOpen || (what === "accept" && !byLink)) return false;
      Object.assign(model, { state: "accepted", scope, outcomes: model.outcomes + 1 });
      write("owner accepted");
      return true;
    case "decline":
      return isOpen && byLink && end("owner declined");
    case "rescope":
      if (model.state !== "accepted" || !byLink) return false;
      if (JSON.stringify(model.scope) === JSON.stringify(scope)) return true;
      Object.assign(model, { scope, outcomes: model.outcomes + 1 });
      write("owner scope_changed");
      return true;
    case "withdraw":
      return model.state === "accepted" && byLink && end("owner withdrawn");
    case "cancel":
      return isPending && end("inviter cancelled");
    case "drop":
      return (isPending || model.state === "accepted") && end("inviter cancelled");
    case "expire":
      return isPending && !isOpen && end("system expired");
    case "send":
      return send(model, now, write);
    default:
      return false;
  }
}

function send(model: Model, now: number, write: (act: string) => void): boolean {
  if (model.state === "waiting") {
    Object.assign(model, { state: "sent", sentAt: now });
    return true;
  }
  const age = now - model.sentAt;
  const dueFrom = model.reminders === 0 ? 2 * DAY : 6 * DAY;
  if (model.state !== "sent" || age >= VALID || model.reminders >= 2 || age < dueFrom) return false;
  // A first reminder that is sent when the second one is due is the last.
  model.reminders = age >= 6 * DAY ? 2 : 1;
  write("system reminded");
  return true;
}

type World = ReturnType<typeof invitationWorld>;
/** One invitation, and the process that acts on it. */
type Scene = Pick<World, "invitations" | "stored"> & { id: string; request: Request };

/** Applies one step to the product; returns whether it was allowed. */
export async function perform(
  { invitations, stored, id, request }: Scene,
  { what, scope }: Step,
  token: string,
): Promise<boolean> {
  const version = (await stored(id))?.version;
  switch (what) {
    case "accept":
      return (await invitations.acceptLink(token, scope)).ok;
    case "request":
      return (await invitations.acceptRequest(BOB.accountId, id, scope)).ok;
    case "decline":
      return (await invitations.declineLink(token, false)).ok;
    case "rescope":
      return (await invitations.rescopeLink(token, scope)).ok;
    case "withdraw":
      return (await invitations.withdrawLink(token, false)).ok;
    case "cancel":
      return (await invitations.cancelInvitation(ALICE.accountId, id)).ok;
    case "send":
      return (await invitations.mailDue()) === 1;
    case "expire":
      return (await invitations.expireDue()) === 1;
    case "drop":
      await invitations.onConsentDropped({
        type: "tracking.consentDropped",
        associationId: request.associationId,
        accountId: ALICE.accountId,
        address: BOB.address,
      });
      return (await stored(id))?.version !== version;
    default:
      return (await invitations.declineRequest(CHARLIE.accountId, id, true)).ok;
  }
}
