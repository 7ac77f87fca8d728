import { fail, ok, type Result } from "../shared/result.ts";
import type { StaffAct } from "../shared/staff.ts";
import { type Announcement, inOrder, isAnnounced, type ShownIncident, shownAt, standing } from "./incident.ts";
import type { ChangeIncidentInput, IncidentUpdateInput, OpenIncidentInput } from "./inputs.ts";
import type { Incident, OperationsDeps, OperationsStore } from "./ports.ts";

const DAY_MS = 24 * 3_600_000;
export const SHOWN_DAYS = 90;
const PER_PAGE = 50;

type Changed = Result<Record<string, never>, "NOT_FOUND" | "INVALID_INPUT">;

/** Incidents and planned maintenance, as published by the operator. Every change is audited. */
export function incidents({ transaction, now, newId }: OperationsDeps) {
  function publish({ events }: OperationsStore, accountId: string, act: StaffAct, incident: Incident): Promise<void> {
    return events.publish({
      type: "staff.acted",
      id: newId(),
      at: now().toISOString(),
      actor: { by: "staff", accountId },
      act,
      object: { kind: "incident", id: incident.id },
      detail: { title: incident.title.en, state: incident.state },
    });
  }

  const since = () => new Date(now().getTime() - SHOWN_DAYS * DAY_MS);

  return {
    openIncident(
      accountId: string,
      { text, startsAt, endsAt, ...input }: OpenIncidentInput,
    ): Promise<Result<{ id: string }, never>> {
      return transaction(async (store) => {
        const at = now();
        const resolvedAt = input.state === "resolved" ? at : undefined;
        const times = { startsAt: new Date(startsAt), endsAt: endsAt === null ? undefined : new Date(endsAt) };
        const incident = { ...input, ...times, id: newId(), resolvedAt };
        await store.incidents.add(incident);
        await store.incidents.addUpdate(incident.id, { id: newId(), at, state: input.state, text });
        await publish(store, accountId, "incident_opened", incident);
        return ok({ id: incident.id });
      });
    },

    /** Adds an update; any state other than "resolved" reopens a resolved incident. */
    updateIncident(accountId: string, id: string, { state, text }: IncidentUpdateInput): Promise<Changed> {
      return transaction(async (store) => {
        const found = await store.incidents.findLocked(id);
        if (!found) return fail("NOT_FOUND");
        const update = { id: newId(), at: now(), state, text };
        const incident = standing(found, update);
        await store.incidents.save(incident);
        await store.incidents.addUpdate(id, update);
        await publish(store, accountId, state === "resolved" ? "incident_resolved" : "incident_changed", incident);
        return ok({});
      });
    },

    /** Corrects an update's text or state. It keeps its time, and the incident takes the state of its latest update. */
    correctUpdate(
      accountId: string,
      { id, updateId }: { id: string; updateId: string },
      { state, text }: IncidentUpdateInput,
    ): Promise<Changed> {
      return transaction(async (store) => {
        const found = await store.incidents.findLocked(id);
        const updates = await store.incidents.listUpdates(id);
        const update = updates.find((each) => each.id === updateId);
        if (!found || !update) return fail("NOT_FOUND");
        const corrected = { ...update, state, text };
        await store.incidents.saveUpdate(corrected);
        const incident = update === updates[0] ? standing(found, corrected) : found;
        await store.incidents.save(incident);
        await publish(store, accountId, "incident_news_changed", incident);
        return ok({});
      });
    },

    /** Changes its title, parts and times. */
    changeIncident(accountId: string, id: string, input: ChangeIncidentInput): Promise<Changed> {
      return transaction(async (store) => {
        const found = await store.incidents.findLocked(id);
        if (!found) return fail("NOT_FOUND");
        if ((found.kind === "maintenance") !== (input.endsAt !== null))
          return fail("INVALID_INPUT", { fields: { endsAt: "TIME_INVALID" } });
        const times = {
          startsAt: new Date(input.startsAt),
          endsAt: input.endsAt === null ? undefined : new Date(input.endsAt),
        };
        const incident = { ...found, title: input.title, parts: input.parts, ...times };
        await store.incidents.save(incident);
        await publish(store, accountId, "incident_changed", incident);
        return ok({});
      });
    },

    /** Deletes it without trace, except in the audit log. */
    deleteIncident(accountId: string, id: string): Promise<Changed> {
      return transaction(async (store) => {
        const found = await store.incidents.findLocked(id);
        if (!found || !(await store.incidents.remove(id))) return fail("NOT_FOUND");
        await publish(store, accountId, "incident_deleted", found);
        return ok({});
      });
    },

    /** All incidents, for staff. */
    listIncidents(page: number): Promise<Result<{ items: ShownIncident[]; total: number; pageSize: number }, never>> {
      return transaction(async (store) => {
        const found = await store.incidents.list((page - 1) * PER_PAGE, PER_PAGE);
        const items = found.incidents.map((incident) => shownAt(incident, now()));
        return ok({ items, total: found.total, pageSize: PER_PAGE });
      });
    },

    /** Current, planned and recent incidents of the last 90 days, for everyone. */
    async publicIncidents(): Promise<ShownIncident[]> {
      const found = await transaction((store) => store.incidents.listSince(since()));
      return inOrder(found.map((incident) => shownAt(incident, now())));
    },

    /** The most urgent notice for every page. */
    async announcement(): Promise<Announcement | undefined> {
      const at = now();
      const found = await transaction((store) => store.incidents.listSince(at));
      const [first] = inOrder(
        found.filter((incident) => isAnnounced(incident, at)).map((incident) => shownAt(incident, at)),
      );
      if (!first) return undefined;
      const { id, kind, title, state, startsAt, endsAt } = first;
      return { id, kind, title, state, startsAt, endsAt };
    },
  };
}
