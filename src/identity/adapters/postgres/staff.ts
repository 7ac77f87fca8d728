import { and, desc, eq, gte, isNotNull, isNull, like, lt, or, sql } from "drizzle-orm";
import { withoutNulls } from "../../../database/nulls.ts";
import type { Database } from "../../../database/postgres.ts";
import type { User } from "../../ports.ts";
import type { AccountFilter, StaffActRepository, StaffUserRepository } from "../../staff/staff_ports.ts";
import { staffActsTable, usersTable } from "./tables.ts";

/** Escapes the wildcards of LIKE in typed text. */
const beginsWith = (text: string) => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;

function matching({ text, state }: AccountFilter) {
  const users = usersTable;
  const states = {
    unverified: isNull(users.verifiedAt),
    locked: isNotNull(users.lockedAt),
    staff: eq(users.staff, sql`true`),
  };
  const found =
    text === undefined
      ? undefined
      : or(
          like(users.email, beginsWith(text)),
          like(sql`lower(${users.lastName})`, beginsWith(text)),
          like(sql`lower(${users.firstName} || ' ' || ${users.lastName})`, beginsWith(text)),
        );
  return and(found, state && states[state]);
}

export function postgresStaffUsers(tx: Database): StaffUserRepository<User> {
  const users = usersTable;
  return {
    async search(filter, after, limit) {
      const later =
        after && sql`(${users.createdAt}, ${users.id}) < (${sql.param(after.at, users.createdAt)}, ${after.id}::uuid)`;
      const found = tx
        .select()
        .from(users)
        .where(and(matching(filter), later));
      return (await found.orderBy(desc(users.createdAt), desc(users.id)).limit(limit)).map(withoutNulls);
    },
    async setStaff(id, staff, by) {
      await tx
        .update(users)
        .set({ staff, staffBy: by ?? null })
        .where(eq(users.id, id));
    },
    async setLocked(id, lockedAt) {
      await tx
        .update(users)
        .set({ lockedAt: lockedAt ?? null })
        .where(eq(users.id, id));
    },
    async holdStaff() {
      const active = and(eq(users.staff, sql`true`), isNull(users.lockedAt));
      const rows = await tx.select({ id: users.id }).from(users).where(active).orderBy(users.id).for("no key update");
      return rows.map(({ id }) => id);
    },
  };
}

export function postgresStaffActs(tx: Database): StaffActRepository {
  const acts = staffActsTable;
  return {
    async add(act) {
      await tx.insert(acts).values(act).onConflictDoNothing({ target: acts.id });
    },
    async list({ actorId, act, objectId, from, until }, after, limit) {
      const wanted = and(
        actorId === undefined ? undefined : eq(acts.actorId, actorId),
        act && eq(acts.act, act),
        objectId === undefined ? undefined : eq(acts.objectId, objectId),
        from && gte(acts.at, from),
        until && lt(acts.at, until),
        after && sql`(${acts.at}, ${acts.id}) < (${sql.param(after.at, acts.at)}, ${after.id}::uuid)`,
      );
      const found = tx.select().from(acts).where(wanted).orderBy(desc(acts.at), desc(acts.id)).limit(limit);
      return (await found).map(withoutNulls);
    },
    async forget(accountId) {
      await tx.update(acts).set({ actorId: null }).where(eq(acts.actorId, accountId));
      await tx.update(acts).set({ objectId: null, reason: null, detail: {} }).where(eq(acts.objectId, accountId));
    },
    async removeBefore(before) {
      await tx.delete(acts).where(lt(acts.at, before));
    },
  };
}
