import type { User } from "../../../src/identity/ports.ts";
import type {
  Cursor,
  StaffActRecord,
  StaffActRepository,
  StaffUserRepository,
} from "../../../src/identity/staff/staff_ports.ts";
import type { MemoryTable, MemoryTables } from "../database.ts";

/** Newest first; ids order events in the same millisecond. */
const newestFirst = (one: Cursor, other: Cursor) =>
  other.at.getTime() - one.at.getTime() || (other.id < one.id ? -1 : Number(other.id > one.id));

const cursorOf = ({ createdAt, id }: User): Cursor => ({ at: createdAt, id });

export function memoryStaffUsers(users: MemoryTable<User>): StaffUserRepository<User> {
  const states = {
    unverified: ({ verifiedAt }: User) => verifiedAt === undefined,
    locked: ({ lockedAt }: User) => lockedAt !== undefined,
    staff: ({ staff }: User) => staff,
  };
  function change(id: string, changed: Partial<User>): void {
    const user = users.get(id);
    if (user) users.set(id, { ...user, ...changed });
  }
  return {
    async search({ text, state }, after, limit) {
      const names = ({ email, firstName, lastName }: User) => [email, lastName, `${firstName} ${lastName}`];
      const found = users.filter(
        (user) =>
          (text === undefined || names(user).some((name) => name.toLowerCase().startsWith(text))) &&
          (state === undefined || states[state](user)) &&
          (after === undefined || newestFirst(after, cursorOf(user)) < 0),
      );
      return found.sort((one, other) => newestFirst(cursorOf(one), cursorOf(other))).slice(0, limit);
    },
    async setStaff(id, staff, staffBy) {
      change(id, { staff, staffBy });
    },
    async setLocked(id, lockedAt) {
      change(id, { lockedAt });
    },
    async holdStaff() {
      const active = users.filter(({ staff, lockedAt }) => staff && lockedAt === undefined);
      return active.map(({ id }) => id).sort();
    },
  };
}

export function memoryStaffActs(tables: MemoryTables): StaffActRepository {
  const acts = tables<StaffActRecord>("identity.staff_acts");
  return {
    async add(act) {
      if (!acts.get(act.id)) acts.set(act.id, act);
    },
    async list({ actorId, act, objectId, from, until }, after, limit) {
      const found = acts.filter(
        (row) =>
          (actorId === undefined || row.actorId === actorId) &&
          (act === undefined || row.act === act) &&
          (objectId === undefined || row.objectId === objectId) &&
          (from === undefined || row.at >= from) &&
          (until === undefined || row.at < until) &&
          (after === undefined || newestFirst(after, row) < 0),
      );
      return found.sort(newestFirst).slice(0, limit);
    },
    async forget(accountId) {
      for (const act of acts.filter((row) => row.actorId === accountId))
        acts.set(act.id, { ...act, actorId: undefined });
      for (const act of acts.filter((row) => row.objectId === accountId))
        acts.set(act.id, { ...act, objectId: undefined, reason: undefined, detail: {} });
    },
    async removeBefore(before) {
      acts.removeWhere(({ at }) => at < before);
    },
  };
}
